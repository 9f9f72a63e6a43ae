// Finds a name for a script's reference that the script's text does not contain: in one pass, and short whatever the text contains
// (decisions P8).

const NAME = "$ref"
const numbered = /\$ref(\d+)_/g

export const unusedName = (text: string): string => {
  if (!text.includes(NAME)) return NAME
  const used = new Set(Array.from(text.matchAll(numbered), ([, number]) => number!))
  let number = 0
  while (used.has(String(number))) number++
  return `${NAME}${number}_`
}
