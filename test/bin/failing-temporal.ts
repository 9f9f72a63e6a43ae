// The stand-in for Temporal (test/support/failingTemporal.ts) as the program that the launcher starts: up, answering, and not working.
import { createServer } from "node:http"
import { serveFailing } from "../support/failingTemporal.ts"

const args = process.argv.slice(2)
const option = (name: string) => Number(args[args.indexOf(name) + 1])

if (args.includes("--version")) console.log("temporal version 99.0.0 (Server 99.0.0, UI 99.0.0)")
else if (args.includes("--help")) console.log("--sqlite-pragma --dynamic-config-value")
else {
  createServer((_, response) => response.end("{}")).listen(option("--http-port"), "127.0.0.1")
  await serveFailing(option("--port"))
}
