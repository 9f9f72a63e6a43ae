// Declared names say what they hold (docs/glossary.md): a value is a noun, a function a verb with its object. Bare participles, adverbs,
// adjectives and pronouns are few, in the tests as well.
import { assert, describe, it } from "@effect/vitest"
import { fewAreAtFault, filesBelow, type Passage, sources } from "./passages.ts"

const bareWords: ReadonlySet<string> = new Set(
  [
    "above ahead alone along apart around aside away back behind below beside beyond here over past there together under within",
    "after again already at before beforehand ever first here last late lately now of once only soon still then well",
    "asked begun chosen found claimed counted done ended given gone handed held known left listed made meant paid",
    "passed parsed prepared put putOff refused removed said seen sent settled shown spun standing stored stuck taken told took turned",
    "wanted waited waiting worn worth written",
    "all both either mine neither none one others own rest same theirs yours",
    "begins ends expects goes hands lets looks offers says settles sifts stands takes tells touches waits writes",
    "calm cold free fresh hidden open ordinary plain quiet ready unsure vain whole",
    "handOver handing handOff line look looked lookAt offer place places sight spread turn turns"
  ].flatMap((words) => words.split(" "))
)

const declarationsOf = (source: string): ReadonlyArray<Passage> =>
  source.split("\n").flatMap((line, i) =>
    [...line.matchAll(/\b(?:const|let|function|readonly)\s+([A-Za-z_$][\w$]*)/g)].map(([, text]) => ({
      line: i + 1,
      text: text!
    }))
  )

const isBare = ({ text }: Passage): boolean => bareWords.has(text)

describe("declared names", () => {
  it("are rarely a bare participle, adverb, adjective or pronoun", () => {
    fewAreAtFault([...sources, ...filesBelow("test", /\.ts$/)], declarationsOf, isBare, 0.02)
  })

  it("are found in declarations, and told apart by the whole word", () => {
    const source = "const found = 1\nlet matchingRows = 2\n  readonly told: string\nfunction settleRun() {}\nfound(1)"
    const names = declarationsOf(source)
    assert.deepStrictEqual(
      names.map(({ line, text }) => `${line} ${text}`),
      ["1 found", "2 matchingRows", "3 told", "4 settleRun"]
    )
    assert.deepStrictEqual(
      names.filter(isBare).map(({ text }) => text),
      ["found", "told"]
    )
  })
})
