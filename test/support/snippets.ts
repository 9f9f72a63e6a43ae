// What the documentation shows as code: the fenced blocks of its pages, by language.
import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../..", import.meta.url))

export interface Snippet {
  /** Of the page, from the root. */
  readonly page: string
  /** The first line of its text. */
  readonly line: number
  readonly language: string
  readonly text: string
}

/** Pages for readers, in their order. */
export const pages: ReadonlyArray<string> = globSync(
  ["*.md", "docs/**/*.md", "deploy/**/*.md", "clients/*/README.md", "src/interfaces/docs/guides/*.md"],
  { cwd: root }
).toSorted()

/** The blocks of a page, of these languages. */
export const snippetsOf = (page: string, ...languages: ReadonlyArray<string>): ReadonlyArray<Snippet> => {
  const markdown = readFileSync(`${root}/${page}`, "utf8")
  return [...markdown.matchAll(/^```(\S+)\n([\s\S]*?)^```$/gm)].flatMap(({ 1: language, 2: text, index }) =>
    languages.includes(language!)
      ? [{ page, line: markdown.slice(0, index).split("\n").length + 1, language: language!, text: text! }]
      : []
  )
}
