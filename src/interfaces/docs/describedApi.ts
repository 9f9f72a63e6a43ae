// Sorts the API's description into groups of operations as people know them, for the pages of /docs.
import { type Described, eventsIn, type Operation, operationsIn } from "../../api/description/operationsIn.ts"

export interface OperationGroup {
  /** Part of the group's address. */
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly operations: ReadonlyArray<Operation>
}

export interface Catalogue {
  readonly groups: ReadonlyArray<OperationGroup>
  readonly schemas: Readonly<Record<string, Described>>
  readonly events: ReadonlyArray<{ readonly type: string; readonly summary: string; readonly schema: Described }>
  readonly scopes: Readonly<Record<string, string>>
}

const slugOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")

export const catalogueOf = (spec: Described): Catalogue => {
  const operations = operationsIn(spec)
  const { schemas, securitySchemes } = spec["components"]
  return {
    groups: (spec["tags"] as ReadonlyArray<Described>)
      .map(({ description, name }) => ({
        slug: slugOf(name),
        name,
        description: description ?? "",
        operations: operations.filter(({ tag }) => tag === name)
      }))
      .filter((group) => group.operations.length > 0),
    schemas,
    events: eventsIn(spec),
    scopes: securitySchemes["oauth2"]["flows"]["authorizationCode"]["scopes"]
  }
}
