#!/usr/bin/env node
// npm run client: generates the TypeScript client's description of the API from the endpoints, the one source of both.
import { prepareTools } from "./parts/tools.js"

const HELP = `npm run client             writes clients/typescript/src/generated from the API's endpoints
npm run client -- --build  and clients/typescript/dist, as npm pack there publishes it
npm run client -- --help   this text`

const cliArgs = process.argv.slice(2)
if (cliArgs.some((one) => one !== "--build")) {
  console.log(HELP)
  process.exit(cliArgs.every((one) => ["--help", "-h"].includes(one)) ? 0 : 1)
}

const tool = await prepareTools()
process.exitCode = await tool("clients/typescript/generate/main.ts", [])
if (process.exitCode === 0 && cliArgs.includes("--build"))
  process.exitCode = await tool("node_modules/typescript/bin/tsc", ["-p", "clients/typescript/tsconfig.build.json"])
