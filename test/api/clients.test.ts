// What `npm run contract` tries: each generator has a folder with its flow and its versions, which are exact. The clients themselves are made,
// compiled and run there: their generators ask for another TypeScript than ours, for Python and for Go.
import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { clients } from "../../contract/clients.ts"

const folder = new URL("../../contract/", import.meta.url)
const folders = readdirSync(folder, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []))
const read = (path: string) => readFileSync(new URL(path, folder), "utf8")

describe("clients made of the description", () => {
  it("each generator has its folder, and is installed, used, checked and run, where it is more than compiled", () => {
    assert.sameMembers(
      clients.map(({ name }) => name),
      folders
    )
    for (const { compiled, name, own, steps } of clients)
      assert.includeMembers(
        steps.map(({ what }) => what),
        [...(own === true ? [] : ["generates"]), "compiles", ...(compiled === true ? [] : ["runs"])],
        name
      )
  })

  it("their versions are exact", () => {
    for (const name of ["openapi-typescript", "hey-api", "deno", "openapi-generator-fetch", "orval"])
      for (const version of Object.values<string>(JSON.parse(read(`${name}/package.json`)).dependencies))
        assert.match(version, /^\d+\.\d+\.\d+$/)
    for (const requirement of read("openapi-python-client/requirements.txt").trim().split("\n"))
      assert.match(requirement, /^[\w-]+==\d+\.\d+\.\d+$/)
    for (const name of ["java", "kotlin", "fetch"])
      for (const [, version] of read(`openapi-generator-${name}/pom.xml`).matchAll(/<(?:kotlin\.)?version>([^<$]+)</g))
        assert.match(version!, /^\d+(?:\.\d+)*$/)
    const go = clients.find(({ name }) => name === "oapi-codegen")!
    assert.match(go.steps.flatMap(({ args }) => args).join(" "), /oapi-codegen@v\d+\.\d+\.\d+ /)
  })
})
