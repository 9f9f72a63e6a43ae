// The web console (console/) as it is served: put together once for each state of its sources by buildConsole.js; in a package or an
// image it lies beside the programs.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { root } from "./environment.js"
import { kept, keptFolder } from "./kept.js"
import { compileCache } from "./os.js"

/** All that can be in it: its own sources, the client, the colours that it shares with our other pages. */
const SOURCES = ["bin/parts/buildConsole.js", "clients/typescript/src", "console", "src/doors/web/style.css"]

/** @param {string} node @param {string} draft @returns {Promise<void>} */
const build = (node, draft) =>
  new Promise((resolve, reject) => {
    const child = spawn(node, [join(root, "bin/parts/buildConsole.js"), draft], {
      cwd: root,
      env: { ...process.env, ...compileCache(), NODE_ENV: "production" },
      stdio: ["ignore", "ignore", "pipe"]
    })
    let said = ""
    child.stderr.on("data", (chunk) => {
      said = `${said}${chunk}`.slice(-2000)
    })
    child.once("error", reject)
    child.once("close", (code) => (code === 0 ? resolve() : reject(new Error(said.trim() || `status ${code}`))))
  })

/** The folder of index.html and assets. @param {string} node @returns {Promise<string>} */
export const consoleFolder = async (node) => {
  const built = join(root, "programs", "console")
  if (existsSync(built)) return built
  if (!existsSync(join(root, "node_modules", "vite")))
    throw new Error("what builds it is not installed (npm ci --include=dev)")
  return kept({ folder: keptFolder("console"), name: "console", sources: SOURCES, make: (draft) => build(node, draft) })
}
