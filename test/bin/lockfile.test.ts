// package-lock.json must install on every platform, from any registry: `npm ci` refuses a lock file that lacks the
// optional packages of other platforms, and addresses in it would tie it to one registry.
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { DATA_SET } from "../../bin/parts/pins.js"
import { libraryVersions } from "../../src/platform/sandbox/libraryVersions.ts"
import { root } from "./launcher.ts"

interface Entry {
  readonly version?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly link?: boolean
  readonly resolved?: string
  readonly hasInstallScript?: boolean
  readonly optionalDependencies?: Record<string, string>
}

const read = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"))
const packages: Record<string, Entry> = read("package-lock.json").packages

/** Looks a package up as Node would: from the innermost node_modules outwards. */
const isLocked = (from: string, name: string): boolean => {
  if (packages[`${from === "" ? "" : `${from}/`}node_modules/${name}`] !== undefined) return true
  if (from === "") return false
  const outer = from.lastIndexOf("/node_modules/")
  return isLocked(outer < 0 ? "" : from.slice(0, outer), name)
}

describe("package-lock.json", () => {
  it("holds the optional packages of every platform", () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !isLocked(path, name))
    )
    assert.deepStrictEqual(missing, [])
  })

  it("has the data set of the demo as an installed package fetches it, for development alone", () => {
    const { dev, integrity, version } = packages[`node_modules/${DATA_SET.name}`]!
    assert.deepStrictEqual({ dev, integrity, name: DATA_SET.name, version }, { ...DATA_SET, dev: true })
  })

  it("carries no resolved addresses", () => {
    assert.deepStrictEqual(
      Object.keys(packages).filter((path) => packages[path]?.resolved !== undefined && !packages[path]?.link),
      []
    )
  })

  it("developer-api.md 8.2: has libraries of scripts in the versions that the catalogue tells, and in no package but their own", () => {
    const { dependencies } = read("script-libraries/package.json")
    const installed = createRequire(join(root, "script-libraries/package.json"))
    for (const [name, version] of libraryVersions) {
      assert.strictEqual(packages[`node_modules/${name}`]?.version, version, name)
      assert.strictEqual(installed(`${name}/package.json`).version, version, name)
      assert.notProperty(read("package.json").dependencies, name)
    }
    const bundler = "rolldown"
    assert.deepStrictEqual(Object.keys(dependencies), [...libraryVersions.map(([name]) => name), bundler].sort())
    assert.strictEqual(dependencies[bundler], read("package.json").devDependencies[bundler])
  })

  it("has every install script allowed or refused by name in package.json", () => {
    const decided: Record<string, boolean> = read("package.json").allowScripts
    const undecided = Object.entries(packages)
      .filter(([, entry]) => entry.hasInstallScript)
      .map(([path]) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length))
      .filter((name) => decided[name] === undefined)
    assert.deepStrictEqual(undecided, [])
  })
})
