// The files of the repository that /docs serves, and their addresses there: guides, documents, recipes, runbooks, what they link to. A table
// made of the folders, so that a request can name nothing else.
import { readdirSync } from "node:fs"
import { posix } from "node:path"

const root = new URL("../../../", import.meta.url)
export const fileUrl = (file: string): URL => new URL(file, root)

const filesOf = (folder: string, pattern: RegExp): ReadonlyArray<string> =>
  readdirSync(fileUrl(`${folder}/`), { withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map(({ name }) => `${folder}/${name}`)
    .toSorted()

const GUIDES = "src/interfaces/docs/guides"

/** Guides in the order of their numbers. */
export const guideFiles = (): ReadonlyArray<string> => filesOf(GUIDES, /\.md$/)

/** `1-records.md` is the guide `records`. */
export const guideName = (file: string): string => posix.basename(file, ".md").slice(2)

/** Evidence for who changes the code; it is read beside the tests. */
const NOT_SERVED = new Set(["docs/conformance.md"])

const documents = () =>
  ["docs", "docs/architecture", "docs/recipes", "docs/runbooks"]
    .flatMap((folder) => filesOf(folder, /\.md$/))
    .filter((file) => !NOT_SERVED.has(file))

const addressOfDocument = (file: string) => {
  const name = file.slice("docs/".length, -".md".length)
  return `/docs/manual/${name}`.replace(/\/README$/, "")
}

/** Addresses by file of everything that is Markdown. */
export const pageFiles = (): ReadonlyMap<string, string> =>
  new Map([
    ...guideFiles().map((file) => [file, `/docs/guides/${guideName(file)}`] as const),
    ["CHANGELOG.md", "/docs/changelog"],
    ["README.md", "/docs/manual/readme"],
    ["CONTRIBUTING.md", "/docs/manual/contributing"],
    ["SECURITY.md", "/docs/manual/report-a-vulnerability"],
    ...documents().map((file) => [file, addressOfDocument(file)] as const)
  ])

/** Addresses by file of what pages show or offer: pictures, examples, definitions. */
export const attachedFiles = (): ReadonlyMap<string, string> =>
  new Map(
    [
      ...filesOf("docs/images", /\.png$/),
      ...filesOf("docs/examples", /\.\w+$/),
      ...filesOf("demo/recipes", /\.yaml$/)
    ].map((file) => [file, `/docs/manual/files/${file}`])
  )
