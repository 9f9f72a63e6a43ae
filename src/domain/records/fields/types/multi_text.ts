// `multi_text`: HTML of at most 150000 characters, kept sanitized; filters and sorts go by its text (developer-api.md 3.2).
import { Result } from "effect"
import type { Statement } from "effect/sql"
import type { Cell } from "../../../../platform/primitives/Cell.ts"
import type { Sql } from "../../../../platform/sql/Sql.ts"
import { sanitizeHtml } from "../../../../platform/text/clean.ts"
import type { AssignableType } from "../contract/FieldType.ts"
import { upTo } from "../contract/shapes.ts"
import { HTML_AT_MOST, HTML_SENT_AT_MOST, htmlFirstLine, htmlOf, htmlText } from "../kinds/htmlText.ts"
import type { NoSettings } from "../kinds/noSettings.ts"
import { plainTextFilter, textKind } from "../kinds/textFields.ts"
import { when } from "../sql/predicates.ts"

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** The text of sanitized HTML, in which no other entities occur; a tag ends a word. */
const untagged = (sql: Sql, html: Statement.Fragment) =>
  sql`replace(replace(replace(regexp_replace(${html}, '<[^>]*>', ' ', 'g'), '&lt;', '<'), '&gt;', '>'), '&amp;', '&')`

export const multiText: AssignableType<"text", NoSettings> = {
  ...textKind,
  tag: "multi_text",
  label: "Multi line text",
  html: true,
  input: upTo(HTML_SENT_AT_MOST).annotate({
    description: `HTML of at most ${HTML_AT_MOST} characters, an escaped one counted once; it is kept sanitized`
  }),
  parse: (input, _, { previous }) =>
    // Accepts the stored value unchanged: cleaning closes open tags, so it may be longer than the maximum of an input.
    previous.length === 1 && input === previous[0]
      ? Result.succeed(previous)
      : Result.map(htmlOf(input), (html): Cell => {
          const clean = sanitizeHtml(html)
          return htmlText(clean) === "" ? [] : [clean]
        }),
  text: (entry) => htmlText(entry as string),
  title: ([entry]) => htmlFirstLine(entry as string),
  compared: (cell) => ({ set: "TEXT", texts: (cell as ReadonlyArray<string>).map(htmlText), cased: true }),
  filter: {
    ...plainTextFilter,
    passes: when("text", ({ firstText, mayMatch, sql, textMatches }, { field_id }, test) => {
      const value = firstText(field_id)
      return sql`(${mayMatch(value, test, escaped)} AND ${textMatches(untagged(sql, value), test)})`
    })
  },
  sortKey: ({ firstText, sql, words }, { field_id }) =>
    words(sql`btrim(regexp_replace(${firstText(field_id)}, '<[^>]*>', ' ', 'g'))`)
}
