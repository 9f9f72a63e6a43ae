// Versions of the libraries of scripts, exact as script-libraries/package.json names them: an installed package has the bundle of the
// libraries (./scriptBundle.ts) and none of their packages.
import scriptPackage from "../../../script-libraries/package.json" with { type: "json" }
import { scriptLibraries } from "./libraries.ts"

const versions: Readonly<Record<string, string>> = scriptPackage.dependencies

/** Package and version of each library. */
export const libraryVersions: ReadonlyArray<readonly [name: string, version: string]> = scriptLibraries.map(
  ({ from }) => [from, versions[from]!]
)
