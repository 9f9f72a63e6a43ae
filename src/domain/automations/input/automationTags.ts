// Tags of an automation: words by which a person finds it again (developer-api.md 7.13). They are about the automation and not part of its
// revisions. Their case is kept and does not count: neither within an automation nor in a filter.
import { Schema } from "effect"
import { list } from "../../../platform/bounds/sized.ts"
import { foldCase } from "../../../platform/text/folding.ts"
import { normalForm } from "../../../platform/text/normalForm.ts"
import type { Mistake } from "../schema/path.ts"

const TAGS_AT_MOST = 20
export const TAG_LENGTH = 50

/** Control characters and line breaks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it refuses them
const PRINTED = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/

export const Tags = list(
  Schema.String.check(
    Schema.isBetweenLength(1, TAG_LENGTH),
    Schema.isPattern(PRINTED, { expected: "a text without control characters" })
  ),
  TAGS_AT_MOST
).annotate({ description: "Words by which it is found again; case does not count" })

/** Spells a tag in one way: without blanks around it, its characters composed. */
export const spelledTag = (text: string): string => normalForm(text.trim(), "NFC")

/** True for tags that differ in nothing but case. */
const isSameTag = (one: string, other: string): boolean => foldCase(one) === foldCase(other)

/** Spells the tags of a body, which may be anything yet; too many are left to the schema. */
export const spelledTags = (tags: unknown): unknown =>
  Array.isArray(tags) && tags.length <= TAGS_AT_MOST
    ? tags.map((tag) => (typeof tag === "string" ? spelledTag(tag) : tag))
    : tags

/** Yields the tags that an earlier one of the list repeats. */
export function* repeatedTags(tags: ReadonlyArray<string>): Iterable<Mistake> {
  for (const [index, tag] of tags.entries()) {
    const earlier = tags.findIndex((one) => isSameTag(one, tag))
    if (earlier < index)
      yield { path: ["tags", index], message: `is the same tag as tags[${earlier}]; case does not count` }
  }
}
