// The environment for processes that tests start: the machine's, without variables of ours and without those that
// vitest sets for its workers (among them BASE_URL=/ and NODE_ENV=test, which the service would take for its own).
// Whom the machine trusts and how npm reaches its registry is kept: without it npm tries for ever and says nothing.
import { compileCache } from "../../bin/parts/os.js"

const KEPT = new RegExp(
  "^(PATH|HOME|USER|LANG|LC_.*|TMPDIR|XDG_CACHE_HOME|CHROMIUM_PATH|GO.*|.*_PROXY|SSL_CERT_.*|NODE_EXTRA_CA_CERTS|" +
    "NODE_USE_SYSTEM_CA|npm_config_(registry|cache|ca|cafile|.*proxy|userconfig|globalconfig))$",
  "i"
)

export const plainEnvironment = (): Record<string, string> => ({
  ...compileCache(),
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => KEPT.test(entry[0]) && entry[1] !== undefined
    )
  )
})
