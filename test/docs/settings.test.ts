// decisions P2: docs/settings.md is .env.example in tables, so that no setting is described twice.
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { settingsPage } from "./settingsPage.ts"

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))

describe("docs/settings.md", () => {
  it("has every variable of .env.example with its default and meaning", async () => {
    await expect(settingsPage(readFileSync(path(".env.example"), "utf8"))).toMatchFileSnapshot(path("docs/settings.md"))
  })
})
