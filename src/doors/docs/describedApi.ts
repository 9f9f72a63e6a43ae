// What the pages of /docs show of the API: its description, sorted into groups as people know them.

export type Described = Readonly<Record<string, any>>

export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required?: boolean
  readonly description?: string
  readonly schema: Described
}

export interface DocumentedAnswer {
  readonly status: string
  readonly description: string
  readonly schema: Described | undefined
  readonly example: unknown
}

export interface Operation {
  /** `records.create` */
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly scopes: ReadonlyArray<string>
  readonly open: boolean
  readonly parameters: ReadonlyArray<Parameter>
  readonly body: { readonly type: string; readonly schema: Described; readonly example: unknown } | undefined
  readonly answers: ReadonlyArray<DocumentedAnswer>
}

export interface OperationGroup {
  /** Of its address. */
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

const METHODS = ["get", "post", "put", "delete"]

export const slugOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")

const resolved = (spec: Described, node: Described): Described => {
  if (typeof node["$ref"] !== "string") return node
  const [, , kind, name] = (node["$ref"] as string).split("/")
  return spec["components"][kind!][name!]
}

const exampleOf = (content: Described | undefined): unknown =>
  content?.["example"] ?? Object.values<Described>(content?.["examples"] ?? {})[0]?.["value"]

const answersOf = (spec: Described, operation: Described): ReadonlyArray<DocumentedAnswer> =>
  Object.entries<Described>(operation["responses"]).map(([status, node]) => {
    const answer = resolved(spec, node)
    const content = Object.values<Described>(answer["content"] ?? {})[0]
    return { status, description: answer["description"], schema: content?.["schema"], example: exampleOf(content) }
  })

const operationOf = (spec: Described, path: string, method: string, operation: Described): Operation => {
  const [type, content] = Object.entries<Described>(operation["requestBody"]?.["content"] ?? {})[0] ?? []
  const security: ReadonlyArray<Described> = operation["security"] ?? []
  return {
    id: operation["operationId"],
    method: method.toUpperCase(),
    path,
    summary: operation["summary"],
    description: operation["description"] ?? "",
    scopes: security.flatMap((way) => way["oauth2"] ?? []),
    open: security.length === 0,
    parameters: operation["parameters"].map((one: Described) => resolved(spec, one)),
    body:
      type === undefined || content === undefined
        ? undefined
        : { type, schema: content["schema"], example: exampleOf(content) },
    answers: answersOf(spec, operation)
  }
}

export const catalogueOf = (spec: Described): Catalogue => {
  const operations = Object.entries<Described>(spec["paths"]).flatMap(([path, item]) =>
    METHODS.flatMap((method) =>
      item[method] === undefined
        ? []
        : [{ tag: item[method]["tags"][0] as string, operation: operationOf(spec, path, method, item[method]) }]
    )
  )
  const { schemas, securitySchemes } = spec["components"]
  return {
    groups: (spec["tags"] as ReadonlyArray<Described>)
      .map(({ description, name }) => ({
        slug: slugOf(name),
        name,
        description: description ?? "",
        operations: operations.filter(({ tag }) => tag === name).map(({ operation }) => operation)
      }))
      .filter((group) => group.operations.length > 0),
    schemas,
    events: Object.entries<Described>(spec["webhooks"]).map(([type, { post }]) => ({
      type,
      summary: post["summary"],
      schema: post["requestBody"]["content"]["application/json"]["schema"]
    })),
    scopes: securitySchemes["oauth2"]["flows"]["authorizationCode"]["scopes"]
  }
}
