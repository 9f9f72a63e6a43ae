// The console is built anew when a module changes that it shares with the service (bin/parts/console.js).
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, it } from "@effect/vitest"
import { consoleSources } from "../../bin/parts/console.js"

const root = fileURLToPath(new URL("../..", import.meta.url))
const imports = /(?:from|import) "(\.[^"]+\.tsx?)"/g

it("every module that the console loads is one of the sources of its build", () => {
  const files = readdirSync(join(root, "console/src"), { recursive: true, encoding: "utf8" })
  const sourceFiles = files.filter((file) => /\.tsx?$/.test(file)).map((file) => join(root, "console/src", file))
  const loaded = new Set(sourceFiles)
  for (let file = sourceFiles.pop(); file !== undefined; file = sourceFiles.pop())
    for (const [, name] of readFileSync(file, "utf8").matchAll(imports)) {
      const target = join(dirname(file), name!)
      if (loaded.has(target)) continue
      loaded.add(target)
      sourceFiles.push(target)
    }
  const shared = [...loaded].map((file) => relative(root, file)).filter((file) => file.startsWith("src/"))
  assert.include(shared, "src/domain/automations/templates/references.ts")
  const missing = shared.filter((file) => !consoleSources.some((source) => `${file}/`.startsWith(`${source}/`)))
  assert.deepStrictEqual(missing, [])
})
