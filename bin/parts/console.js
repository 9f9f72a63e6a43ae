// Builds the web console (console/) once for each state of its sources, by buildConsole.js; in a package or an image it lies next to the
// programs.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { runBuilder } from "./builder.js"
import { root } from "./environment.js"
import { kept, keptFolder, shippedPath } from "./kept.js"

const BUILDER = "bin/parts/buildConsole.js"
/** Sources of the console: its own, the client, the style that it shares with our other pages, the modules that it shares with the service. */
export const consoleSources = [
  ...[BUILDER, "clients/typescript/src", "console", "src/interfaces/web/style.css", "src/interfaces/web/fonts"],
  ...["src/domain/automations/templates", "src/domain/automations/schema", "src/domain/records/fields/input"],
  ...["src/domain/imports", "src/domain/records/conversion/conversionTable.ts"],
  ...[
    "src/platform/bounds/cut.ts",
    "src/platform/primitives/dates.ts",
    "src/platform/primitives/decimals.ts",
    "src/platform/text"
  ]
]

/** Folder of index.html and assets. @param {string} node @returns {Promise<string>} */
export const consoleFolder = async (node) => {
  const shippedConsole = shippedPath("console")
  if (shippedConsole !== undefined) return shippedConsole
  if (!existsSync(join(root, "node_modules", "vite")))
    throw new Error("what builds it is not installed (npm ci --include=dev)")
  return kept({
    folder: keptFolder("console"),
    name: "console",
    sources: consoleSources,
    make: (draft) => runBuilder(node, BUILDER, draft, { NODE_ENV: "production" })
  })
}
