// Themes differ in colors alone, so that a page is looked at in the dark one by rules of colors alone (consoleTab.ts).
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, it } from "@effect/vitest"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const stylesheets = ["src/interfaces/web", "console/src"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".css"))
    .map((file) => readFileSync(join(root, folder, file), "utf8"))
)

/** Text between a media query and the brace that closes it. */
const darkRules = (css: string): ReadonlyArray<string> =>
  [...css.matchAll(/@media[^{]*prefers-color-scheme[^{]*\{((?:[^{}]*\{[^{}]*\})*)\s*\}/g)].map(([, rules]) => rules!)

it("the dark theme sets colors, and nothing else", () => {
  const queries = stylesheets.reduce((sum, css) => sum + css.split("prefers-color-scheme").length - 1, 0)
  const rules = stylesheets.flatMap(darkRules)
  assert.isAbove(rules.length, 0)
  assert.lengthOf(rules, queries)
  const declarations = rules.flatMap((text) =>
    [...text.matchAll(/\{([^}]*)\}/g)].flatMap(([, block]) => block!.split(";"))
  )
  const others = declarations.map((one) => one.trim()).filter((one) => !/^(--[\w-]+: #[0-9a-f]{6}|)$/.test(one))
  assert.deepStrictEqual(others, [])
})

it("no module of the console asks for the theme", () => {
  const files = readdirSync(join(root, "console/src"), { recursive: true, encoding: "utf8" })
  const texts = files
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(join(root, "console/src", file), "utf8"))
  assert.deepStrictEqual(
    texts.filter((text) => /prefers-color-scheme|color-scheme/.test(text)),
    []
  )
})
