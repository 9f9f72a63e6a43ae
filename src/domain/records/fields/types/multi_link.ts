// `multi_link`: web addresses; an entry can be kept by `embed_id` or removed, not edited (developer-api.md 3.2).
import { Result, Schema } from "effect"
import type { LinkEntry } from "../../../../platform/primitives/Cell.ts"
import type { AssignableType } from "../contract/FieldType.ts"
import { kept, oneOrMany, upTo } from "../contract/shapes.ts"
import { isLinkAddress } from "../input/addressForms.ts"
import { keptEntries } from "../input/entryInput.ts"
import { closed, textOf } from "../input/writeInput.ts"
import { NoSettings } from "../kinds/noSettings.ts"
import { textTest } from "../matching/filterTests.ts"
import { matchTypes } from "../matching/matchTypes.ts"
import type { ParseContext, Problem } from "../model/Field.ts"
import { noCell, when } from "../sql/predicates.ts"

const urlOf = (input: unknown): Result.Result<string, Problem> =>
  Result.flatMap(textOf(input, 5000, "a URL"), (text) => {
    const url = text.trim()
    return isLinkAddress(url)
      ? Result.succeed(url)
      : Result.fail(`must be an http or https URL: ${JSON.stringify(text)}`)
  })

const entryOf = (
  input: unknown,
  known: ReadonlyMap<unknown, LinkEntry>,
  { entryId }: ParseContext
): Result.Result<LinkEntry, Problem> =>
  Result.gen(function* () {
    if (typeof input === "string") return { embed_id: entryId(), url: yield* urlOf(input) }
    const { embed_id, url } = yield* closed(input, ["url", "embed_id"], "a URL or an entry")
    if (embed_id === undefined) return { embed_id: entryId(), url: yield* urlOf(url) }
    const formerEntry = known.get(embed_id)
    if (formerEntry === undefined)
      return yield* Result.fail(`names no entry of the record: ${JSON.stringify(embed_id)}`)
    if (url !== undefined && url !== formerEntry.url)
      return yield* Result.fail("edits a link; remove it and add a new one")
    return formerEntry
  })

const url = upTo(5000)

export const multiLink: AssignableType<"links", NoSettings> = {
  tag: "multi_link",
  kind: "links",
  type: "link",
  label: "Link",
  olderName: "embed",
  channels: ["text"],
  operators: "LINK",
  assignable: true,
  multiple: true,
  titleCapable: true,
  mayBeUnique: true,
  entryIds: true,
  settings: NoSettings,
  input: oneOrMany(
    Schema.Union([
      url,
      Schema.Struct({ embed_id: kept, url: Schema.optionalKey(url) }).annotate({ identifier: "LinkEntryInput" })
    ])
  ),
  parse: (input, _field, context) => keptEntries("embed_id", input, context, entryOf),
  render: (entry) => ({ ...(entry as LinkEntry), type: "link" }),
  entry: Schema.Struct({
    embed_id: Schema.Int,
    url: Schema.String,
    title: Schema.optionalKey(Schema.String),
    description: Schema.optionalKey(Schema.String),
    type: Schema.Literal("link")
  }),
  text: (entry) => (entry as LinkEntry).url,
  compared: (cell) => ({ set: "LINK", texts: (cell as ReadonlyArray<LinkEntry>).map(({ url }) => url), cased: false }),
  filter: {
    matchTypes: matchTypes.link,
    test: (filter) => textTest(filter, false),
    passes: when("text", ({ someText }, { field_id }, test) => someText(field_id, "url", test)),
    empty: noCell
  },
  sortKey: ({ first, sql, words }, { field_id }) => words(sql`(${first(field_id)}->>'url')`)
}
