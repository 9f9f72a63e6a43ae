// The generators of clients that the description is tried with: their versions stand in the manifest of each one's folder, beside the
// flow of the guide in its language where it is run. Each is generated and compiled. And our own client, where the suite cannot run it.

import type { Step } from "./steps.ts"

export interface Client {
  /** Of the folder here, and of the generator. */
  readonly name: string
  /** A tool chain that has to be there; Node is. */
  readonly needs?: "go" | "mvn" | "python3"
  /** It is compiled alone: the flow of the guide is carried out by the others. */
  readonly compiled?: true
  /** It runs our own client: its sources lie in `client`. */
  readonly own?: true
  /** In a folder that holds copies of the files here and `openapi.json`. */
  readonly steps: ReadonlyArray<Step>
}

const step = (what: Step["what"], command: string, ...args: ReadonlyArray<string>): Step => ({ what, command, args })

const npm = step("installs", "npm", "install", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error")
const mvn = (what: Step["what"], ...args: ReadonlyArray<string>) => step(what, "mvn", "-q", "-B", ...args)
const local = (name: string) => `node_modules/.bin/${name}`
const venv = (name: string) => `venv/bin/${name}`
const GO_GENERATOR = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2"

export const clients: ReadonlyArray<Client> = [
  {
    name: "openapi-typescript",
    steps: [
      npm,
      // A default says what is taken where nothing is sent, not that something has to be.
      step(
        "generates",
        local("openapi-typescript"),
        "openapi.json",
        "--default-non-nullable=false",
        "-o",
        "generated.ts"
      ),
      step("compiles", local("tsc"), "-p", "."),
      step("runs", "node", "built/flow.js")
    ]
  },
  {
    name: "hey-api",
    steps: [
      npm,
      step("generates", local("openapi-ts"), "-i", "openapi.json", "-o", "generated", "--no-log-file", "--silent"),
      step("compiles", local("tsc"), "-p", ".", "--noEmit"),
      step(
        "compiles",
        local("esbuild"),
        "flow.ts",
        "--bundle",
        "--platform=node",
        "--format=esm",
        "--outfile=built/flow.mjs"
      ),
      step("runs", "node", "built/flow.mjs")
    ]
  },
  {
    name: "openapi-python-client",
    needs: "python3",
    steps: [
      step("installs", "python3", "-m", "venv", "venv"),
      step("installs", venv("pip"), "install", "-q", "--disable-pip-version-check", "-r", "requirements.txt"),
      step(
        "generates",
        venv("openapi-python-client"),
        "generate",
        "--path",
        "openapi.json",
        "--output-path",
        "millrace_client",
        "--overwrite",
        "--meta",
        "none"
      ),
      step("compiles", venv("mypy"), "--follow-imports=silent", "flow.py"),
      step("runs", venv("python"), "flow.py")
    ]
  },
  {
    name: "oapi-codegen",
    needs: "go",
    steps: [
      step(
        "generates",
        "go",
        "run",
        GO_GENERATOR,
        "-generate",
        "types,client",
        "-package",
        "client",
        "-o",
        "client/client.go",
        "openapi.json"
      ),
      step("compiles", "go", "build", "-o", "flow", "."),
      step("runs", "./flow")
    ]
  },
  {
    name: "openapi-generator-java",
    compiled: true,
    needs: "mvn",
    steps: [
      mvn("generates", "generate-sources"),
      mvn("compiles", "-f", "client/okhttp/pom.xml", "compile"),
      mvn("compiles", "-f", "client/native/pom.xml", "compile")
    ]
  },
  {
    name: "openapi-generator-kotlin",
    compiled: true,
    needs: "mvn",
    steps: [mvn("generates", "generate-sources"), mvn("compiles", "compile")]
  },
  {
    name: "openapi-generator-fetch",
    compiled: true,
    needs: "mvn",
    steps: [npm, mvn("generates", "generate-sources"), step("compiles", local("tsc"), "-p", ".")]
  },
  {
    name: "orval",
    compiled: true,
    steps: [
      npm,
      step("generates", local("orval"), "--config", "orval.config.ts"),
      step("compiles", local("tsc"), "-p", ".")
    ]
  },
  {
    name: "deno",
    own: true,
    steps: [
      npm,
      step("compiles", local("deno"), "check", "flow.ts"),
      step("runs", local("deno"), "run", "--allow-env", "--allow-net", "flow.ts")
    ]
  }
]
