export default {
  millrace: { input: "openapi.json", output: { target: "client/millrace.ts", client: "fetch", mode: "single" } }
}
