// Passages of the project's files, judged one by one: what tests of its language share.
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert } from "@effect/vitest"

export const root = fileURLToPath(new URL("../..", import.meta.url))
export const read = (path: string) => readFileSync(`${root}/${path}`, "utf8")

export const filesBelow = (folder: string, name: RegExp): ReadonlyArray<string> =>
  readdirSync(`${root}/${folder}`, { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => name.test(path) && !/\/(?:migrations|generated|node_modules|dist)\//.test(path))

export const sources = ["src", "workflows", "activities", "console/src", "clients", "bench", "bin", "demo"].flatMap(
  (folder) => filesBelow(folder, /\.(?:ts|tsx|js)$/)
)

/** A page without its code blocks. */
export const withoutBlocks = (page: string) => page.replaceAll(/^```[\s\S]*?^```/gm, "")

/** Inline code of a page. */
export const inlineCodeOf = (page: string): ReadonlyArray<string> =>
  [...withoutBlocks(page).matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!)

export interface Passage {
  readonly line: number
  readonly text: string
}

/** Asserts that less than `share` of all passages are at fault; a failure lists their places. */
export const fewAreAtFault = (
  paths: ReadonlyArray<string>,
  passagesOf: (text: string) => ReadonlyArray<Passage>,
  isAtFault: (passage: Passage) => boolean,
  share: number
) => {
  const passages = paths.flatMap((path) => passagesOf(read(path)).map((passage) => ({ path, passage })))
  const faults = passages
    .filter(({ passage }) => isAtFault(passage))
    .map(({ passage, path }) => `${path}:${passage.line}: ${passage.text.slice(0, 100)}`)
  assert.isAbove(passages.length, 400)
  assert.isBelow(faults.length / passages.length, share, `\n${faults.join("\n")}\n`)
}
