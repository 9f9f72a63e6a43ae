// docs/recipes: a page for each recipe, which shows parts of the files that it links.
import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { root, snippetsOf } from "../../support/snippets.ts"

const read = (path: string) => readFileSync(`${root}/${path}`, "utf8")
const pages = readdirSync(`${root}/docs/recipes`).filter((name) => /^\d/.test(name))
const files = readdirSync(`${root}/demo/recipes`).filter((name) => /^\d/.test(name))
const filesOf = (page: string) =>
  [...read(`docs/recipes/${page}`).matchAll(/\]\(\.\.\/\.\.\/demo\/recipes\/(\S+\.yaml)\)/g)].map(([, file]) => file!)

/** Lines without the indentation that all of them have. */
const dedented = (text: string): ReadonlyArray<string> => {
  const lines = text.replace(/\n$/, "").split("\n")
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/))
  return lines.map((line) => line.slice(Math.min(...indents)))
}

/** True if the lines follow on each other in the file, all indented by the same. */
const isPartOf = (part: ReadonlyArray<string>, file: string): boolean => {
  const lines = file.split("\n")
  return lines.some((_, i) => {
    const candidate = lines.slice(i, i + part.length)
    return candidate.length === part.length && dedented(candidate.join("\n")).join("\n") === part.join("\n")
  })
}

describe("docs/recipes", () => {
  it("has twelve pages, each listed, with its files, something to try and something to change", () => {
    const index = read("docs/recipes/README.md")
    assert.lengthOf(pages, 12)
    for (const page of pages) {
      assert.include(index, `](${page})`)
      assert.isNotEmpty(filesOf(page), page)
      for (const heading of ["## Try it", "## Change it"]) assert.include(read(`docs/recipes/${page}`), heading, page)
      assert.isNotEmpty(snippetsOf(`docs/recipes/${page}`, "sh"), page)
    }
    assert.deepStrictEqual(pages.flatMap(filesOf).toSorted(), files.toSorted())
  })

  it("shows parts of the files as they stand", () => {
    for (const page of pages) {
      const parts = snippetsOf(`docs/recipes/${page}`, "yaml", "javascript")
      assert.isNotEmpty(parts, page)
      for (const { line, text } of parts)
        assert.isTrue(
          filesOf(page).some((file) => isPartOf(dedented(text), read(`demo/recipes/${file}`))),
          `${page}:${line} is in none of its files`
        )
    }
    assert.isFalse(isPartOf(["- no such line"], read(`demo/recipes/${files[0]!}`)))
  })
})
