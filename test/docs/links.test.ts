// Links between the pages of the documentation lead to files and headings that exist, and the index leads to every page (docs/README.md).
// Sources that the pages name by a part of their path exist.
import { existsSync, readdirSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { filesBelow, inlineCodeOf, read, root, withoutBlocks } from "./passages.ts"

const index = "docs/README.md"
const pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...filesBelow("docs", /\.md$/)]

/** Fragment of a heading, as forges make it. */
const fragmentOf = (heading: string) =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-")

const fragmentsOf = (page: string): ReadonlySet<string> =>
  new Set([...withoutBlocks(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => fragmentOf(heading!)))

interface Link {
  readonly path: string
  readonly fragment: string | undefined
}

/** Links within the repository. Addresses of the service begin with a slash. */
const linksOf = (from: string, page: string): ReadonlyArray<Link> =>
  [...withoutBlocks(page).matchAll(/\]\((?!\w+:|\/)([^)\s]+)\)/g)].map(([, target]) => {
    const [path = "", fragment] = target!.split("#")
    return { path: path === "" ? from : normalize(join(dirname(from), path)), fragment }
  })

const leadsNowhere = ({ fragment, path }: Link): boolean =>
  !existsSync(`${root}/${path}`) || (fragment !== undefined && !fragmentsOf(read(path)).has(fragment))

/** Sources that pages may name, each with a slash before it: pages name the end of a path. */
const sourcePaths = [
  "src",
  "workflows",
  "activities",
  "console/src",
  "clients",
  "bench",
  "bin",
  "contract",
  "demo",
  "test"
]
  .flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true, encoding: "utf8" }).map((path) => `/${folder}/${path}`)
  )
  .filter((path) => !path.includes("/node_modules/"))

const namesNoSource = (code: string): boolean =>
  /^\w[\w./-]*\.(?:ts|tsx|js)$/.test(code) &&
  !existsSync(`${root}/${code}`) &&
  !sourcePaths.some((path) => path.endsWith(`/${code}`))

describe("links of the documentation", () => {
  it("lead to files and headings that exist", () => {
    const links = pages.flatMap((from) => linksOf(from, read(from)).map((link) => ({ from, ...link })))
    assert.isAbove(links.length, 300)
    assert.deepStrictEqual(links.filter(leadsNowhere), [])
  })

  it("and sources that pages name in code exist", () => {
    const codes = pages.flatMap((page) => inlineCodeOf(read(page)).map((code) => `${page}: ${code}`))
    assert.isAbove(codes.filter((name) => name.endsWith(".ts")).length, 200)
    assert.deepStrictEqual(
      codes.filter((name) => namesNoSource(name.slice(name.indexOf(": ") + 2))),
      []
    )
    assert.isTrue(namesNoSource("interfaces/pages/noSuchFields.ts"))
    assert.isFalse(namesNoSource("fields/registry.ts"))
  })

  it("lead from the index to every page beside it", () => {
    const linked = new Set(linksOf(index, read(index)).map(({ path }) => path))
    assert.deepStrictEqual(
      pages.filter((page) => dirname(page) === "docs" && page !== index && !linked.has(page)),
      []
    )
  })

  it("are refused where a file or a heading is gone", () => {
    const page =
      "[a](api.md#webhooks), [b](api.md#gone) and [c](gone.md), [d](https://example.com#x)\n```\n[e](e.md)\n```\n"
    assert.deepStrictEqual(
      linksOf(index, page)
        .filter(leadsNowhere)
        .map(({ fragment, path }) => [path, fragment]),
      [
        ["docs/api.md", "gone"],
        ["docs/gone.md", undefined]
      ]
    )
    assert.strictEqual(
      fragmentOf("A sync address answers 202, 503 or `another` [status](x.md)"),
      "a-sync-address-answers-202-503-or-another-status"
    )
  })
})
