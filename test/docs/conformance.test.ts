// The tables of docs/conformance.md and docs/conformance/ name tests that exist, and every decision has a row: so they cannot rot.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))
const read = (path: string) => readFileSync(`${root}/${path}`, "utf8")
const index = "docs/conformance.md"
const pages = [index, ...readdirSync(`${root}/docs/conformance`).map((name) => `docs/conformance/${name}`)]

interface Row {
  readonly page: string
  readonly rule: string
  readonly shown: string
}

const rowsOf = (page: string): ReadonlyArray<Row> =>
  read(page)
    .split("\n")
    .filter((line) => /^\|(?!\s*(-|rule\b))/i.test(line))
    .map((line) => {
      const [, rule = "", ...cells] = line.split(/(?<!\\)\|/)
      return {
        page,
        rule: rule.trim(),
        shown: cells
          .join("|")
          .replace(/\|\s*$/, "")
          .replaceAll("\\|", "|")
          .trim()
      }
    })

/** Texts in quotes of a test's source; places of a template stand for anything. */
const titlesOf = (path: string): ReadonlyArray<RegExp> =>
  [...read(path).matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map(([, plain, template]) => {
    const text = (plain ?? template ?? "").replaceAll('\\"', '"')
    const parts = text.split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    return new RegExp(`^(?:${parts.join("[\\s\\S]+")}|${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")})$`)
  })

const titles = new Map<string, ReadonlyArray<RegExp>>()

/** What is wrong with a row; nothing when its tests exist. */
const problemsOf = ({ page, rule, shown }: Row): ReadonlyArray<string> => {
  if (/^open\b/.test(shown)) return []
  return shown.split(/\s*;\s+(?=test\/)/).flatMap((reference) => {
    const [path = "", ...rest] = reference.split(" › ")
    const location = `${page}: ${rule}: ${reference}`
    if (!/^test\/.*\.test\.ts$/.test(path) || !existsSync(`${root}/${path}`)) return [`no such file: ${location}`]
    if (!titles.has(path)) titles.set(path, titlesOf(path))
    const title = rest.join(" › ")
    return title === "" || titles.get(path)!.some((pattern) => pattern.test(title))
      ? []
      : [`no such title: ${location}`]
  })
}

describe("docs/conformance.md", () => {
  it("names files and titles that exist, in the index and in the modules' tables", () => {
    const rows = pages.flatMap(rowsOf)
    assert.isAbove(rows.length, 300)
    assert.deepStrictEqual(rows.flatMap(problemsOf), [])
  })

  it("has a row for every decision", () => {
    const rows = rowsOf(index).map(({ rule }) => rule)
    const decisions = Object.entries({ O: 24, W: 10, A: 23, P: 11 }).flatMap(([letter, last]) =>
      Array.from({ length: last }, (_, i) => `${letter}${i + 1}`)
    )
    assert.deepStrictEqual(
      decisions.filter((id) => !rows.some((rule) => rule.startsWith(`${id} `))),
      []
    )
  })
})
