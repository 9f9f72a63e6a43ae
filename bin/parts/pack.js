// Builds the package: the programs with their types stripped and the names of files mended, other files as they are, what is built of them
// for a start, and the versions that were tested. Lines and columns stay, so that traces read as in the clone.

import { execFileSync } from "node:child_process"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { dirname, join, relative, resolve } from "node:path"
import { parseAst } from "rolldown/parseAst"
import { root } from "./environment.js"

const TEXTS = ["CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md"]
const FILES = ["script-libraries/package.json", "temporal.config.ts", ...TEXTS]
const PARTS = ["activities", "demo", "docs", "src", "workflows", ...FILES]
const COMMANDS = ["bin/cli.js", "bin/demo.js", "bin/millrace.js", "bin/start.js"]
const LIBRARY = "bin/parts"
/** Builds the programs from dist, which their positions name; the package has no bundler and leaves it out. */
const BUILDER = "bin/parts/build.js"
/** Names of the other built parts, beside the programs, and their builders, which the clone alone has. */
const BUILT = /** @type {const} */ ([
  ["console", "bin/parts/buildConsole.js"],
  ["scripts.json", "src/platform/sandbox/buildScripts.ts"],
  ["workflows.js", "bin/parts/buildWorkflows.js"]
])
/** Files that are used in the clone only. */
const LEFT_OUT = new Set([
  ...BUILT.map(([, builder]) => /** @type {string} */ (builder)),
  "bin/parts/pack.js",
  "bin/parts/patterns.js",
  "bin/parts/tools.js"
])

const dist = join(root, "dist")
const versions = join(root, "npm-shrinkwrap.json")

/** @param {string} path @returns {string[]} */
const filesIn = (path) =>
  statSync(join(root, path)).isDirectory()
    ? readdirSync(join(root, path)).flatMap((name) => filesIn(join(path, name)))
    : [path]

/** @typedef {{ type?: string, start: number, end: number } & Record<string, any>} Node */

/**
 * Texts of a program that name a program of ours in TypeScript: in imports, and where one is started by its name.
 * @param {string} code @param {string} file @returns {Node[]}
 */
const namesIn = (code, file) => {
  /** @type {Node[]} */
  const names = []
  const visit = (/** @type {Node} */ node) => {
    if (node.type === "Literal" && typeof node["value"] === "string" && node["value"].endsWith(".ts")) {
      const sourcePath = node["value"].startsWith(".")
        ? resolve(root, dirname(file), node["value"])
        : join(root, node["value"])
      if (existsSync(sourcePath)) names.push(node)
    }
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value]) if (typeof child?.type === "string") visit(child)
  }
  visit(/** @type {any} */ (parseAst(code, { lang: "js" }, file)))
  return names.sort((a, b) => a.start - b.start)
}

/** @param {string} file */
const asJavaScript = (file) => {
  const text = readFileSync(join(root, file), "utf8")
  const code = file.endsWith(".ts") ? stripTypeScriptTypes(text, { mode: "strip" }) : text
  let rewrittenCode = ""
  let copiedEnd = 0
  for (const { end } of namesIn(code, file)) {
    // Position before the closing quotation mark.
    rewrittenCode += `${code.slice(copiedEnd, end - 4)}.js`
    copiedEnd = end - 1
  }
  return rewrittenCode + code.slice(copiedEnd)
}

/** @param {string} file */
const write = (file) => {
  const target = join(dist, file.replace(/\.ts$/, ".js"))
  mkdirSync(dirname(target), { recursive: true })
  if (/\.[jt]s$/.test(file)) writeFileSync(target, asJavaScript(file))
  else copyFileSync(join(root, file), target)
}

rmSync(dist, { recursive: true, force: true })
rmSync(versions, { force: true })
if (!process.argv.includes("--clean")) {
  const files = [...PARTS, LIBRARY].flatMap(filesIn).filter((file) => !LEFT_OUT.has(file))
  for (const file of [...files, ...COMMANDS]) write(file)
  copyFileSync(join(root, "package-lock.json"), join(dist, "package-lock.json"))
  copyFileSync(join(root, "package-lock.json"), versions)
  execFileSync(process.execPath, [join(dist, BUILDER), join(dist, "programs")])
  rmSync(join(dist, BUILDER))
  for (const [name, builder] of BUILT)
    execFileSync(process.execPath, [join(root, builder), join(dist, "programs", name)])
  console.error(`${files.length} files in ${relative(root, dist)}`)
}
