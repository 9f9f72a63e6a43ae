// What of a description breaks those who call the API as an earlier one said: an operation or a way to call it that is gone, what is asked for
// anew, what is refused, and what answers hold no longer. Answers may gain members and values (docs/api.md). oasdiff looks closer, in
// `npm run contract`; this is what the suite finds without it.
import type { BreakingChange } from "./changelog.ts"
import { looser, membersOf, type Schema, tagOf, typesOf } from "./schemaParts.ts"

/** What callers send, or what they are answered. */
type Way = "sent" | "answered"
type Found = { readonly id: string; readonly text: string }

const METHODS = ["get", "post", "put", "delete"]
const JSON_TYPE = "application/json"

/** Both descriptions, and the pairs of named schemas that have been looked at. */
interface Pair {
  readonly before: Schema
  readonly now: Schema
  readonly seen: Set<string>
}

const resolved = (spec: Schema, node: Schema): Schema => {
  if (typeof node["$ref"] !== "string") return node
  const found = node["$ref"]
    .slice(2)
    .split("/")
    .reduce<Schema>((at, key) => at?.[key], spec)
  return resolved(spec, found)
}

const objects = (pair: Pair, before: Schema, now: Schema, way: Way, at: string): ReadonlyArray<Found> => {
  const given: Schema = before["properties"] ?? {}
  const left: Schema = now["properties"] ?? {}
  const [needed, needs] = [new Set<string>(before["required"]), new Set<string>(now["required"])]
  const named = (name: string) => `${at}\`${name}\``
  return [
    ...Object.keys(given)
      .filter((name) => !(name in left) && (way === "answered" || now["additionalProperties"] === false))
      .map((name) => ({ id: `${way}-member-removed`, text: `${named(name)} is gone` })),
    ...[...needs]
      .filter((name) => way === "sent" && !needed.has(name))
      .map((name) => ({ id: "sent-member-required", text: `${named(name)} is required` })),
    ...[...needed]
      .filter((name) => way === "answered" && name in left && !needs.has(name))
      .map((name) => ({ id: "answered-member-optional", text: `${named(name)} may be missing` })),
    ...Object.keys(given).flatMap((name) =>
      name in left ? schemas(pair, given[name], left[name], way, `${named(name)}, `) : []
    )
  ]
}

const plain = (pair: Pair, before: Schema, now: Schema, way: Way, at: string): ReadonlyArray<Found> => {
  const [from, to] = way === "sent" ? [before, now] : [now, before]
  const lost = typesOf(from).filter((type) => !typesOf(to).some((other) => other === type || looser(other, type)))
  if (lost.length > 0)
    return [{ id: `${way}-type`, text: `${at}its type was ${typesOf(before)} and is ${typesOf(now)}` }]
  const values: ReadonlyArray<unknown> = now["enum"] ?? before["enum"] ?? []
  const refused =
    way === "sent" && now["enum"] !== undefined
      ? (before["enum"] ?? ["anything else"]).filter((value: unknown) => !values.includes(value))
      : []
  const bounds = way === "sent" ? tightened(before, now) : []
  return [
    ...refused.map((value: unknown) => ({ id: "sent-value-removed", text: `${at}\`${value}\` is refused` })),
    ...bounds.map((name) => ({
      id: "sent-bound",
      text: `${at}\`${name}\` is ${now[name]} and was ${before[name] ?? "none"}`
    })),
    ...objects(pair, before, now, way, at),
    ...(["items", "additionalProperties"] as const).flatMap((name) =>
      typeof before[name] === "object" && typeof now[name] === "object"
        ? schemas(pair, before[name], now[name], way, at)
        : []
    )
  ]
}

const tightened = (before: Schema, now: Schema) => [
  ...["maxLength", "maximum", "maxItems", "maxProperties"].filter((name) => now[name] < (before[name] ?? Infinity)),
  ...["minLength", "minimum", "minItems", "exclusiveMinimum"].filter((name) => now[name] > (before[name] ?? -Infinity))
]

/** Of the members of a union; objects that say the same of themselves are told apart by their order. */
const tagsIn = (spec: Schema, members: ReadonlyArray<Schema>): ReadonlyArray<string> => {
  const tags = members.map((one) => tagOf(resolved(spec, one), one))
  return tags.map((tag, place) => {
    const before = tags.slice(0, place).filter((other) => other === tag).length
    const isObject = resolved(spec, members[place]!)["type"] === "object"
    return before === 0 || !isObject ? tag : `${tag} ${before + 1}`
  })
}

const schemas = (pair: Pair, before: Schema, now: Schema, way: Way, at: string): ReadonlyArray<Found> => {
  const key = `${way} ${before["$ref"]} ${now["$ref"]}`
  if (before["$ref"] !== undefined && now["$ref"] !== undefined) {
    if (pair.seen.has(key)) return []
    pair.seen.add(key)
  }
  const [old, present] = [resolved(pair.before, before), resolved(pair.now, now)]
  const [was, is] = [membersOf(old), membersOf(present)]
  if (was.length === 1 && is.length === 1) return plain(pair, was[0]!, is[0]!, way, at)
  const told = present["discriminator"] !== undefined
  const [wasTags, isTags] = [tagsIn(pair.before, was), tagsIn(pair.now, is)]
  const matched = was.flatMap((one, place) => {
    const tag = wasTags[place]!
    const other = is[isTags.indexOf(tag)]
    if (other !== undefined) return schemas(pair, one, other, way, at)
    return way === "sent" ? [{ id: "sent-form-removed", text: `${at}\`${tag}\` is refused` }] : []
  })
  const added = isTags.filter((tag) => way === "answered" && !told && !wasTags.includes(tag))
  return [...matched, ...added.map((tag) => ({ id: "answered-form", text: `${at}it may be \`${tag}\`` }))]
}

const parameters = (pair: Pair, before: Schema, now: Schema): ReadonlyArray<Found> => {
  const of = (spec: Schema, operation: Schema) =>
    new Map<string, Schema>(
      (operation["parameters"] ?? []).map((one: Schema) => {
        const parameter = resolved(spec, one)
        return [`${parameter["in"]} ${parameter["name"]}`, parameter]
      })
    )
  const [was, is] = [of(pair.before, before), of(pair.now, now)]
  return [
    ...[...was].flatMap(([name, one]) => {
      const other = is.get(name)
      const at = `\`${one["name"]}\``
      if (other === undefined) return [{ id: "parameter-removed", text: `${at} is gone` }]
      const required = other["required"] === true && one["required"] !== true
      return [
        ...(required ? [{ id: "parameter-required", text: `${at} is required` }] : []),
        ...schemas(pair, one["schema"], other["schema"], "sent", `${at}, `)
      ]
    }),
    ...[...is]
      .filter(([name, { required }]) => required === true && !was.has(name))
      .map(([, { name }]) => ({ id: "parameter-required", text: `\`${name}\` is required` }))
  ]
}

const bodyOf = (part: Schema | undefined): Schema | undefined => part?.["content"]?.[JSON_TYPE]?.["schema"]
const scopesOf = (operation: Schema): ReadonlyArray<string> =>
  (operation["security"] ?? []).flatMap((way: Schema) => way["oauth2"] ?? [])

const operations = (pair: Pair, before: Schema, now: Schema): ReadonlyArray<Found> => {
  const [sent, taken] = [bodyOf(before["requestBody"]), bodyOf(now["requestBody"])]
  const answered = Object.keys(before["responses"]).filter((status) => status.startsWith("2"))
  return [
    ...parameters(pair, before, now),
    ...scopesOf(now)
      .filter((scope) => !scopesOf(before).includes(scope))
      .map((scope) => ({ id: "scope-added", text: `it needs \`${scope}\`` })),
    ...(sent !== undefined && taken !== undefined ? schemas(pair, sent, taken, "sent", "") : []),
    ...answered.flatMap((status) => {
      const answer = now["responses"][status]
      if (answer === undefined) return [{ id: "status-removed", text: `it answers \`${status}\` no more` }]
      const [old, present] = [bodyOf(before["responses"][status]), bodyOf(answer)]
      return old === undefined
        ? []
        : present === undefined
          ? [{ id: "answer-removed", text: `\`${status}\` has no body` }]
          : schemas(pair, old, present, "answered", "")
    })
  ]
}

/** A change of a named schema is told once, at the first operation that it concerns. */
export const breakingChanges = (before: Schema, now: Schema): ReadonlyArray<BreakingChange> => {
  const pair: Pair = { before, now, seen: new Set() }
  return Object.entries<Schema>(before["paths"]).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).flatMap((method) => {
      const other = now["paths"][path]?.[method]
      const found =
        other === undefined ? [{ id: "operation-removed", text: "it is gone" }] : operations(pair, item[method], other)
      return found.map((one) => ({ ...one, operation: method.toUpperCase(), path }))
    })
  )
}
