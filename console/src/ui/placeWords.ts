// Words for what the API refuses in a request (developer-api.md 1.5): `name: Expected …; port: Expected …` by the labels of the form.
import { errorWords as texts } from "../texts/ui/errorWords.ts"

/** Labels of a form's fields by the paths that the API names, without the indexes of lists: `name`, `fields.amount`. */
export type Labels = Readonly<Record<string, string>>

const PATH = String.raw`[a-z_][\w-]*(?:\[\d+\])*(?:\.[\w-]+(?:\[\d+\])*)*`
const pathPattern = new RegExp(`(?:^|; )(${PATH}): `, "g")

/** The longest end of the path that has a label: `inputs[3].fields.amount` is called like `fields.amount`. */
const labelOf = (path: string, labels: Labels): string => {
  const keys = path.replaceAll(/\[\d+\]/g, "").split(".")
  const ownLabel = keys.map((_, from) => labels[keys.slice(from).join(".")]).find((label) => label !== undefined)
  if (ownLabel !== undefined) return ownLabel
  const key = keys.at(-1)!
  const common = (texts.labels as Labels)[key] ?? key.charAt(0).toUpperCase() + key.slice(1).replaceAll("_", " ")
  const index = /\[(\d+)\]$/.exec(path)?.[1]
  return index === undefined ? common : texts.numbered(common, Number(index) + 1)
}

/** Messages of the checks of a body's shape, which are written for programs. */
const forms: ReadonlyArray<readonly [RegExp, (...parts: ReadonlyArray<string>) => string]> = [
  [/^expected a value with a length between (\d+) and (\d+)$/i, texts.lengthBetween],
  [/^expected a value with a length of at most (\d+)$/i, texts.lengthAtMost],
  [/^expected a value with a length of at least (\d+)$/i, texts.lengthAtLeast],
  [/^expected a value between (-?[\d.]+) and (-?[\d.]+)$/i, texts.between],
  [/^missing key$|^is required$/i, () => texts.isMissing],
  [/^expected a string matching the RegExp .*@/i, () => texts.isNoEmail],
  [/^expected a string matching the RegExp/i, () => texts.hasAnotherForm]
]

const rewordMessage = (message: string): string => {
  for (const [form, words] of forms) {
    const match = form.exec(message)
    if (match !== null) return words(...match.slice(1))
  }
  return message
}

const endSentence = (sentence: string) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`)
/** A message that goes on with the verb makes a sentence with the label. */
const isVerb = /^(?:is|has|have|must|may|needs|cannot|does|holds|names) /

/** A sentence for each place that the message names; the message itself where it names none. */
export const placeWords = (message: string, labels: Labels = {}): string => {
  const matches = [...message.matchAll(pathPattern)]
  if (matches[0]?.index !== 0) return endSentence(message)
  return matches
    .map(({ 0: head, 1: path, index }, n) => {
      const words = rewordMessage(message.slice(index + head.length, matches[n + 1]?.index).trim())
      const label = labelOf(path!, labels)
      return endSentence(isVerb.test(words) ? texts.labelVerb(label, words) : texts.labelMessage(label, words))
    })
    .join(" ")
}
