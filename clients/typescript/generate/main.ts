// Writes src/generated from the description of the API.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { generated } from "./generated.ts"

const folder = join(import.meta.dirname, "../src/generated")
mkdirSync(folder, { recursive: true })
for (const [name, text] of Object.entries(await generated())) writeFileSync(join(folder, name), text)
