// Builds the web console into the folder named by the argument. Started by console.js, and by pack.js for packages.

import { join, resolve } from "node:path"
import { build } from "vite"
import { root } from "./environment.js"

await build({
  configFile: false,
  root: join(root, "console"),
  base: "/console/",
  logLevel: "error",
  cacheDir: join(root, "node_modules", ".cache", "vite"),
  resolve: { alias: { "@millrace/client": join(root, "clients/typescript/src/index.ts") } },
  build: {
    outDir: resolve(root, process.argv[2] ?? ""),
    emptyOutDir: true,
    target: "es2023",
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Omits the preload script, which would be an inline one; every browser of the target supports module preloads.
    modulePreload: { polyfill: false }
  }
})
