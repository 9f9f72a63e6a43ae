// The files that a public project is expected to have (CONTRIBUTING.md): they parse, run what the README names, and lead where they say.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { parse } from "yaml"

const root = fileURLToPath(new URL("../..", import.meta.url))
const read = (path: string) => readFileSync(join(root, path), "utf8")
const isThere = (path: string) => existsSync(join(root, path))

describe("files of a public project", () => {
  it("continuous integration of both forges runs `npm test` for 90 minutes at most, without a secret", () => {
    const github = parse(read(".github/workflows/test.yml"))
    assert.deepStrictEqual(
      github.jobs.test.steps.flatMap(({ run }: { readonly run?: string }) => run ?? []),
      ["npm test"]
    )
    assert.strictEqual(github.jobs.test["timeout-minutes"], 90)
    assert.deepStrictEqual(github.permissions, { contents: "read" })
    const gitlab = parse(read(".gitlab-ci.yml"))
    assert.deepStrictEqual(gitlab.test.script, ["npm test"])
    assert.strictEqual(gitlab.test.timeout, "90 minutes")
    for (const file of [".github/workflows/test.yml", ".gitlab-ci.yml"])
      assert.notMatch(read(file), /secrets\.[A-Z]/, file)
  })

  it("forms of issues ask for what a report needs, each under an id of its own", () => {
    for (const name of readdirSync(join(root, ".github/ISSUE_TEMPLATE")).filter((file) => file !== "config.yml")) {
      const { body, description, labels } = parse(read(`.github/ISSUE_TEMPLATE/${name}`))
      assert.isString(description, name)
      assert.isNotEmpty(labels, name)
      const ids = body.flatMap(({ id }: { readonly id?: string }) => id ?? [])
      assert.strictEqual(new Set(ids).size, ids.length, name)
      assert.isNotEmpty(ids, name)
    }
  })

  it("updates of libraries cover every folder that has a lock file or packages of its own", () => {
    const [npm] = parse(read(".github/dependabot.yml")).updates
    for (const folder of npm.directories) assert.isTrue(isThere(join(folder, "package.json")), folder)
    for (const folder of [".", "bench"])
      if (isThere(join(folder, "package-lock.json"))) assert.include(npm.directories, join("/", folder))
  })

  it("links of its pages lead to files that are there", () => {
    for (const page of ["SECURITY.md", "CODE_OF_CONDUCT.md", "README.md", "CONTRIBUTING.md"])
      for (const [, link] of read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g))
        assert.isTrue(isThere(join(dirname(page), link!)), `${page}: ${link}`)
  })

  it("folders of CODEOWNERS are there, and nobody is named whom the owner has not named", () => {
    for (const [, folder] of read(".github/CODEOWNERS").matchAll(/(\/\S+)/g)) assert.isTrue(isThere(folder!), folder)
    assert.deepStrictEqual(
      read(".github/CODEOWNERS")
        .split("\n")
        .filter((line) => line !== "" && !line.startsWith("#")),
      []
    )
  })

  it("package.json grants no licence and names no host before the owner has chosen them", () => {
    const { keywords, license, repository } = JSON.parse(read("package.json"))
    assert.strictEqual(license, "UNLICENSED")
    assert.include(repository.url, "//example.com/")
    assert.isNotEmpty(keywords)
    assert.include(read("README.md"), "## Licence")
  })
})
