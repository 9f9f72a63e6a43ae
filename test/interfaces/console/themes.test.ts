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

it("the dark theme sets colors, and nothing else", () => {
  const declarations = stylesheets.flatMap((css) => css.match(/[^;{}]*light-dark\([^;{}]*/g) ?? [])
  assert.isAbove(declarations.length, 10)
  const color = "#[0-9a-f]{6}"
  const otherDeclarations = declarations.filter(
    (one) => !new RegExp(`--[\\w-]+: light-dark\\(${color}, ${color}\\)$`).test(one)
  )
  assert.deepStrictEqual(otherDeclarations, [])
})

it("a stylesheet that names a theme sets by it which of the colors hold", () => {
  assert.deepStrictEqual(
    stylesheets.filter((css) => css.includes("prefers-color-scheme")),
    []
  )
  const themed = stylesheets.flatMap((css) => [...css.matchAll(/\[data-theme[^{]*\{([^}]*)\}/g)])
  assert.isNotEmpty(themed)
  for (const [, block] of themed) assert.match(block!, /^\s*color-scheme: (?:light|dark);\s*$/)
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
