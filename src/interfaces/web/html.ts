// HTML by tagged templates: every value is escaped unless it is HTML of the same making (decisions O8, O11).

export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

export type Content = Html | string | number | false | null | undefined | ReadonlyArray<Content>

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }

/** Text that is safe between tags and in quoted attributes. */
const escape = (text: string): string => text.replace(/[&<>"']/g, (c) => entities[c]!)

const render = (content: Content): string => {
  if (content instanceof Html) return content.markup
  if (Array.isArray(content)) return content.map(render).join("")
  if (content === false || content === null || content === undefined) return ""
  return escape(String(content))
}

/** Attribute values stand in double quotes; lists are joined; `false`, `null` and `undefined` are nothing. */
export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<Content>): Html =>
  new Html(strings.reduce((out, text, i) => out + render(values[i - 1]) + text))

/** Markup that was made safe elsewhere: sanitized rich text. */
export const trusted = (markup: string): Html => new Html(markup)
