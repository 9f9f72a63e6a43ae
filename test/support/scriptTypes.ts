// Scripts before the installed TypeScript, with the declarations that are served and the options that docs/scripts.md names.
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { scriptDeclarations } from "../../src/domain/automations/meta/scriptDeclarations.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
export const guide = readFileSync(`${root}/docs/scripts.md`, "utf8")

/** What TypeScript has to say of files, by their names; nothing where all is well. */
export const mistakesIn = (files: Readonly<Record<string, string>>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      // Below the project, where the libraries' own types are found.
      mkdirSync(`${root}/node_modules/.cache/millrace`, { recursive: true })
      return mkdtempSync(`${root}/node_modules/.cache/millrace/scripts-`)
    }),
    (folder) =>
      Effect.promise(() => {
        const options = /```json\n(\{\n {2}"compilerOptions"[\s\S]*?)```/.exec(guide)![1]!
        const allFiles = { "script.d.ts": scriptDeclarations(), ...files }
        for (const [name, text] of Object.entries(allFiles)) writeFileSync(`${folder}/${name}`, text)
        writeFileSync(
          `${folder}/tsconfig.json`,
          JSON.stringify({ ...JSON.parse(options), files: Object.keys(allFiles) })
        )
        const tsc = `${root}/node_modules/typescript/bin/tsc`
        return new Promise<ReadonlyArray<string>>((resolve) => {
          execFile(process.execPath, [tsc, "-p", folder, "--pretty", "false"], { cwd: folder }, (_, out, err) =>
            resolve(`${out}${err}`.split("\n").filter((line) => line !== ""))
          )
        })
      }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
