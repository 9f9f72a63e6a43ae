// Finds the option that a text names: by its exact text, by case and blanks aside, then by letters and digits alone (developer-api.md 4.2).
// The texts of a field's options are folded once, so that a lookup takes the same time however many there are.
import { quoted } from "./shownText.ts"

interface Option {
  readonly id: number
  readonly text: string
}

/** `missing`: texts of options that the field lacks. */
export type OptionMatch =
  | { readonly id: number }
  | { readonly refused: string; readonly missing?: ReadonlyArray<string> }

/** Letters and digits alone, without accents: `In-Progress` is *In progress*. */
const plainText = (text: string) =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "")

/** Forms in which texts are compared, from the strictest on. */
const forms: ReadonlyArray<(text: string) => string> = [(text) => text, (text) => text.trim().toLowerCase(), plainText]

/** Ids of options by a form of their text, for each form. */
type OptionIndex = ReadonlyArray<ReadonlyMap<string, ReadonlyArray<number>>>

const indexOf = (options: ReadonlyArray<Option>): OptionIndex =>
  forms.map((form) => {
    const idsByText = new Map<string, Array<number>>()
    for (const { id, text } of options) {
      const ids = idsByText.get(form(text))
      if (ids === undefined) idsByText.set(form(text), [id])
      else ids.push(id)
    }
    idsByText.delete("")
    return idsByText
  })

/** Texts by the list of options as the definition holds it, which never changes. */
const indexes = new WeakMap<ReadonlyArray<Option>, OptionIndex>()

const indexed = (options: ReadonlyArray<Option>): OptionIndex => {
  const index = indexes.get(options) ?? indexOf(options)
  indexes.set(options, index)
  return index
}

export const optionNamed = (text: string, options: ReadonlyArray<Option> = []): OptionMatch => {
  for (const [at, idsByText] of indexed(options).entries()) {
    const [id, another] = idsByText.get(forms[at]!(text)) ?? []
    if (id !== undefined)
      return another === undefined ? { id } : { refused: `${quoted(text)} is the text of several options` }
  }
  return { refused: `${quoted(text)} is no option`, missing: [text.trim()] }
}
