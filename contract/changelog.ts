// What breaks callers is named by CHANGELOG.md, in its section of what is not released yet: by the operation, as `POST /v1/app`, or by the
// names that the change is told with (`icon`). The changes are those that oasdiff finds since the description of the last release.

/** As oasdiff tells it. */
export interface BreakingChange {
  readonly id: string
  readonly text: string
  readonly operation?: string
  readonly path?: string
}

const UNRELEASED = /^## \[Unreleased\]$([\s\S]*?)(?=^## \[|(?![\s\S]))/m

/** The entries of the section, each with its lines as one. */
const entriesOf = (changelog: string): ReadonlyArray<string> =>
  (UNRELEASED.exec(changelog)?.[1] ?? "").split(/^(?:- |### .*$)/m).map((entry) => entry.replaceAll(/\s+/g, " "))

const named = ({ operation, path, text }: BreakingChange, entry: string) => {
  const names = text.match(/`[^`]+`/g) ?? []
  return entry.includes(`\`${operation} ${path}\``) || (names.length > 0 && names.every((name) => entry.includes(name)))
}

/** The breaking changes that no entry names, in words. */
export const unnamedIn = (changelog: string, changes: ReadonlyArray<BreakingChange>): ReadonlyArray<string> => {
  const entries = entriesOf(changelog)
  return changes
    .filter((change) => !entries.some((entry) => named(change, entry)))
    .map(({ id, operation = "", path = "", text }) => `${operation} ${path}: ${text} (${id})`)
}
