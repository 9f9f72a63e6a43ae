// Plural forms of a text, by the rules of its language.
const rules = new Intl.PluralRules("en")

interface Forms {
  readonly one: string
  readonly other: string
}
export const plural = (count: number, { one, other }: Forms) => (rules.select(count) === "one" ? one : other)

/** "1 view", "3,000 views". */
export const countText = (count: number, one: string, other: string) =>
  `${count.toLocaleString()} ${plural(count, { one, other })}`
