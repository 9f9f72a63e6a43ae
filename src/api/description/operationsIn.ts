// A description read again: its operations with their references resolved, for whoever makes something of it (the pages of /docs, the
// client).

export type Described = Readonly<Record<string, any>>

export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required?: boolean
  readonly description?: string
  readonly schema: Described
}

/** Content of a request or an answer, in the first of its media types. */
export interface DescribedContent {
  readonly type: string
  readonly schema: Described
  readonly example: unknown
}

interface DescribedAnswer {
  readonly status: string
  readonly description: string
  readonly content: DescribedContent | undefined
}

export interface Operation {
  /** `records.create` */
  readonly id: string
  readonly tag: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly scopes: ReadonlyArray<string>
  /** True if no credential is needed. */
  readonly open: boolean
  readonly parameters: ReadonlyArray<Parameter>
  readonly body: DescribedContent | undefined
  readonly answers: ReadonlyArray<DescribedAnswer>
}

const METHODS = ["get", "post", "put", "delete"]

/** The part of the document that a reference leads to, or the node itself. */
export const resolvedIn = (spec: Described, node: Described): Described => {
  if (typeof node["$ref"] !== "string") return node
  const [, , kind, name] = (node["$ref"] as string).split("/")
  return spec["components"][kind!][name!]
}

const contentOf = (part: Described | undefined): DescribedContent | undefined => {
  const [first] = Object.entries<Described>(part?.["content"] ?? {})
  return first === undefined ? undefined : { type: first[0], schema: first[1]["schema"], example: first[1]["example"] }
}

const operationOf = (spec: Described, path: string, method: string, operation: Described): Operation => {
  const security: ReadonlyArray<Described> = operation["security"] ?? []
  return {
    id: operation["operationId"],
    tag: operation["tags"][0],
    method: method.toUpperCase(),
    path,
    summary: operation["summary"],
    description: operation["description"] ?? "",
    scopes: security.flatMap((way) => way["oauth2"] ?? []),
    open: security.length === 0,
    parameters: operation["parameters"].map((one: Described) => resolvedIn(spec, one)),
    body: contentOf(operation["requestBody"]),
    answers: Object.entries<Described>(operation["responses"]).map(([status, node]) => {
      const answer = resolvedIn(spec, node)
      return { status, description: answer["description"], content: contentOf(answer) }
    })
  }
}

/** All of them in the description's order. */
export const operationsIn = (spec: Described): ReadonlyArray<Operation> =>
  Object.entries<Described>(spec["paths"]).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] === undefined ? [] : [operationOf(spec, path, method, item[method])]))
  )

/** The bodies that hooks are sent, by their type. */
export const eventsIn = (spec: Described) =>
  Object.entries<Described>(spec["webhooks"]).map(([type, { post }]) => ({
    type,
    summary: post["summary"] as string,
    schema: contentOf(post["requestBody"])!.schema
  }))
