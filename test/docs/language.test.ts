// Holds the language of the project (docs/glossary.md): comments open with their subject, paragraphs are short, and the glossary names
// files, tables and identifiers that exist. The samples show that each count finds what it looks for.
import { existsSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { fewAreAtFault, filesBelow, type Passage, read, root, sources } from "./passages.ts"

const pages = ["README.md", "CONTRIBUTING.md", ...filesBelow("docs", /\.md$/)]

/** First line of each comment, without its mark. For a mark alone on its line, the line below it. */
const commentsOf = (source: string): ReadonlyArray<Passage> => {
  const lines = source.split("\n").map((line) => line.trim())
  return lines.flatMap((line, i) => {
    const isOpening = line.startsWith("/**") || (line.startsWith("//") && !lines[i - 1]?.startsWith("//"))
    const firstLine = line === "/**" ? (lines[i + 1] ?? "") : line
    return isOpening ? [{ line: i + 1, text: firstLine.replace(/^(?:\/\*\*|\/\/|\*)/, "").trim() }] : []
  })
}

/** Words with which a sentence begins before its subject is named. */
const openings = new Set([
  ..."What Who Whom Whoever Whose Where Whether Why How Of Those One As Nothing Nobody Beside Behind It By In Once So".split(
    " "
  ),
  ..."At For From To With Without While Until Within Among On They".split(" "),
  "The same"
])

const lacksSubject = ({ text }: Passage): boolean => {
  const [first = "", second = ""] = text.replace(/[`,:]/g, "").split(/\s+/)
  return openings.has(first) || openings.has(`${first} ${second}`)
}

/** Paragraphs of a page: lines between blank ones, headings and code blocks. Tables and lists are none. */
const paragraphsOf = (page: string): ReadonlyArray<Passage> => {
  const paragraphs: Array<Passage> = []
  let block: Array<string> = []
  let isCode = false
  for (const [i, line] of `${page}\n`.split("\n").entries()) {
    const isMark = line.trimStart().startsWith("```")
    if (isMark) isCode = !isCode
    if (!isMark && !isCode && line.trim() !== "" && !line.startsWith("#")) block.push(line.trim())
    else {
      if (block.length > 0) paragraphs.push({ line: i + 1 - block.length, text: block.join(" ") })
      block = []
    }
  }
  return paragraphs.filter(({ text }) => !/^(?:[|-]|\d+\.)/.test(text))
}

const WORDS_AT_MOST = 80
const isLong = ({ text }: Passage): boolean => text.split(/\s+/).length > WORDS_AT_MOST

const isOneSentence = (text: string): boolean => /^[A-Z]/.test(text) && text.endsWith(".") && !text.includes(". ")

interface Term {
  readonly term: string
  readonly meaning: string
  readonly where: string
}

const terms: ReadonlyArray<Term> = read("docs/glossary.md")
  .split("\n")
  .filter((line) => /^\| (?!Term\b)/.test(line))
  .map((line) => {
    const [, term = "", meaning = "", where = ""] = line.split("|").map((cell) => cell.trim())
    return { term, meaning, where }
  })

/** Words of a source outside of its comments. */
const wordsOf = (source: string): ReadonlyArray<string> =>
  source
    .split("\n")
    .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line))
    .flatMap((line) => line.match(/\w+/g) ?? [])

const isWordOf = (path: string, name: string) => existsSync(`${root}/${path}`) && wordsOf(read(path)).includes(name)

/** Names in a cell that do not exist: paths, words of the code, and "`word` in `path`". */
const missingNames = (where: string, words: ReadonlySet<string>): ReadonlyArray<string> => [
  ...[...where.matchAll(/`(\w+)` in `([^`]+)`/g)]
    .filter(([, name, path]) => !isWordOf(path!, name!))
    .map(([reference]) => reference),
  ...[...where.matchAll(/`([^`]+)`/g)]
    .map(([, name]) => name!)
    .filter((name) => (name.includes("/") ? !existsSync(`${root}/${name}`) : !words.has(name)))
]

describe("comments", () => {
  it("open with the thing or a verb", () => {
    fewAreAtFault(sources, commentsOf, lacksSubject, 0.01)
  })

  it("are told apart by their first words", () => {
    const source = `
// What a claim takes,
// For each hook.
const rows = 1 // Of the claim

/** Whether it runs. */
/**
 * The same for runs.
 */
/** \`Of\`: a name. */
// Claims due rows.
/** The claim's rows. */
/**
 * Fence that the rows carry.
 * Of the last claim.
 */`
    assert.deepStrictEqual(
      commentsOf(source).map((comment) => [comment.line, lacksSubject(comment)]),
      [
        [2, true],
        [6, true],
        [7, true],
        [10, true],
        [11, false],
        [12, false],
        [13, false]
      ]
    )
  })
})

describe("paragraphs", () => {
  it("are short", () => {
    fewAreAtFault(pages, paragraphsOf, isLong, 0.02)
  })

  it("are counted in words, without code, tables and lists", () => {
    const words = (count: number) => Array.from({ length: count }, () => "word").join(" ")
    const page = [
      "# Page",
      words(80),
      "",
      `${words(40)}\n${words(41)}`,
      "```sh",
      words(90),
      "",
      words(90),
      "```",
      words(81),
      "",
      `| ${words(90)} |`,
      "",
      `- ${words(90)}`,
      "",
      `1. ${words(90)}`
    ].join("\n")
    assert.deepStrictEqual(
      paragraphsOf(page).map((paragraph) => [paragraph.line, isLong(paragraph)]),
      [
        [2, false],
        [4, true],
        [11, true]
      ]
    )
  })
})

describe("docs/glossary.md", () => {
  const words = new Set(sources.flatMap((path) => wordsOf(read(path))).concat(wordsOf(read("docs/metrics.md"))))

  it("has each term once, with a meaning of one sentence and a place", () => {
    const names = terms.flatMap(({ term }) => term.split(", "))
    assert.isAbove(names.length, 60)
    assert.deepStrictEqual(
      names.filter((name, i) => names.indexOf(name) !== i),
      []
    )
    assert.deepStrictEqual(
      terms.filter(({ meaning, where }) => !isOneSentence(meaning) || where === "").map(({ term }) => term),
      []
    )
  })

  it("names files, tables and identifiers that exist", () => {
    assert.deepStrictEqual(
      terms.flatMap(({ term, where }) => missingNames(where, words).map((name) => `${term}: ${name}`)),
      []
    )
  })

  it("is refused where a name is gone", () => {
    const where =
      "table `no_such_table`, `src/engine/relay/NoSuchFile.ts`; `NoSuchName` in `src/engine/relay/Relay.ts`, `Relay`"
    assert.deepStrictEqual(missingNames(where, words), [
      "`NoSuchName` in `src/engine/relay/Relay.ts`",
      "no_such_table",
      "src/engine/relay/NoSuchFile.ts",
      "NoSuchName"
    ])
  })
})
