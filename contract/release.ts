// Keeps the description of this release, for those after it to be compared with: `npm run contract -- --release`.
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { descriptionText } from "../src/api/descriptionText.ts"

const file = fileURLToPath(new URL("released.json", import.meta.url))
writeFileSync(file, `${descriptionText()}\n`)
console.log(`contract/released.json holds the description of this release: ${descriptionText().length} characters`)
