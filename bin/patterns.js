#!/usr/bin/env node
// node bin/patterns.js [DIR ...]: fails where a regular expression of the service could take more than linear time, or is put
// together while the program runs (decisions P8). Part of `npm run lint` and `npm test`.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./parts/environment.js"
import { faultOf, patternsOf } from "./parts/patterns.js"

/** Patterns built from trusted text, or for which only their author waits. */
const EXCEPTED = new Map([
  ["src/api/fallback.ts", "made of the paths that we serve, when the service starts"],
  ["src/platform/text/searchWords.ts", "classes of characters, made of its own tables"],
  ["src/platform/sandbox/realm/structuredClone.ts", "a script's own pattern, copied inside of its isolate"]
])

const cliArgs = process.argv.slice(2)
const dirs = cliArgs.length > 0 ? cliArgs : ["src", "activities", "workflows"]
const files = dirs.flatMap((dir) =>
  readdirSync(join(root, dir), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.[jt]s$/.test(name))
    .map((name) => join(dir, name))
)

/** @type {string[]} */
const findings = []
/** @type {Map<string, { pattern: import("./parts/patterns.js").Pattern, at: string[] }>} */
const distinct = new Map()
for (const file of files.sort()) {
  const { built, patterns } = patternsOf(file, readFileSync(join(root, file), "utf8"))
  if (!EXCEPTED.has(file))
    for (const lineNumber of built) findings.push(`${file}:${lineNumber}: a pattern put together at run time`)
  for (const pattern of patterns) {
    const key = `/${pattern.source}/${pattern.flags}`
    const occurrence = distinct.get(key) ?? { pattern, at: [] }
    occurrence.at.push(`${file}:${pattern.line}`)
    distinct.set(key, occurrence)
  }
}

const queue = [...distinct.values()]
const checkPatterns = async () => {
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const fault = await faultOf(next.pattern)
    if (fault !== undefined) findings.push(`${next.at.join(", ")}: ${fault}`)
  }
}
await Promise.all(Array.from({ length: 4 }, checkPatterns))

for (const finding of findings.sort()) console.error(finding)
if (findings.length === 0) console.log(`${distinct.size} patterns of ${files.length} files, all linear`)
process.exitCode = findings.length === 0 ? 0 : 1
