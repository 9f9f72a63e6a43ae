// CHANGELOG.md keeps the form of Keep a Changelog, and what breaks callers has to be named there (contract/changelog.ts).
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { unnamedIn } from "../../contract/changelog.ts"

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")
const kinds = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]

describe("CHANGELOG.md", () => {
  it("has a section of what is not released yet, then one for each release, this one's among them", () => {
    const headings = [...read("CHANGELOG.md").matchAll(/^## \[(.+?)\]/gm)].map(([, name]) => name)
    assert.strictEqual(headings[0], "Unreleased")
    assert.include(headings, JSON.parse(read("package.json")).version)
    for (const [, kind] of read("CHANGELOG.md").matchAll(/^### (.+)$/gm)) assert.include(kinds, kind)
  })

  it("knows the release that the description, the client, the command line and the MCP server say they are of", () => {
    const { version } = JSON.parse(read("package.json"))
    assert.strictEqual(JSON.parse(read("clients/typescript/package.json")).version, version)
    for (const path of ["src/api/description/openapi.ts", "src/cli.ts", "src/interfaces/mcp/session.ts"])
      assert.include(read(path), `version: "${version}"`, path)
  })

  it("names what breaks callers by its operation or by the names that it is about", () => {
    const icon = {
      id: "request-property-became-required",
      text: "the request property `icon` became required",
      operation: "POST",
      path: "/v1/app"
    }
    const removal = {
      id: "api-path-removed-without-deprecation",
      text: "api path removed without deprecation",
      operation: "POST",
      path: "/v1/view/{view_id}/default"
    }
    const changes = [icon, removal]
    const section = (...entries: ReadonlyArray<string>) =>
      `# Changelog\n\n## [Unreleased]\n\n### Removed\n\n${entries.map((entry) => `- ${entry}\n`).join("")}\n## [0.1.0]\n\n- \`icon\`\n`
    assert.lengthOf(unnamedIn(section("Something else."), changes), 2)
    assert.lengthOf(unnamedIn(section("`icon` of apps\n  has to be sent."), changes), 1)
    assert.deepStrictEqual(
      unnamedIn(section("`POST /v1/view/{view_id}/default` is gone.", "`POST /v1/app` asks for an icon."), changes),
      []
    )
    assert.deepStrictEqual(unnamedIn(section(), changes)[0], `POST /v1/app: ${icon.text} (${icon.id})`)
  })

  it("the description of the last release is there to compare with", () => {
    const released = JSON.parse(read("contract/released.json"))
    assert.strictEqual(released.openapi, "3.1.0")
    assert.isAbove(Object.keys(released.paths).length, 80)
  })
})
