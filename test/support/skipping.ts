// A Temporal server that skips the time in which nothing happens: the SDK's download where it can be reached, else the same server
// from Maven where Java is. Without either there is none, and what needs it is skipped.
import { execFile } from "node:child_process"
import { access, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { TestWorkflowEnvironment } from "@temporalio/testing"
import { cacheDir } from "../../bin/parts/os.js"

const run = promisify(execFile)
const VERSION = "1.31.0"
/** Where the SDK's download begins. */
const DOWNLOAD = "https://temporal.download/temporal-test-server/default?arch=amd64&platform=linux&format=tar.gz"

const reachable = () =>
  fetch(DOWNLOAD, { signal: AbortSignal.timeout(3_000), redirect: "manual" }).then(
    ({ status }) => status < 400,
    () => false
  )

const project = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>test</groupId><artifactId>test</artifactId><version>1</version><dependencies><dependency>
<groupId>io.temporal</groupId><artifactId>temporal-test-server</artifactId><version>${VERSION}</version>
</dependency></dependencies></project>`

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false
  )

/** The path of a program that starts the server from Maven; fetched once per machine, whole or not at all. */
const fromMaven = async (): Promise<string | null> => {
  const cache = cacheDir()
  const home = join(cache, `temporal-test-server-${VERSION}`)
  const program = join(home, "server")
  if (await exists(program)) return program
  try {
    await run("java", ["-version"], { timeout: 30_000 })
    await mkdir(cache, { recursive: true })
    const tempDir = await mkdtemp(join(cache, "fetching-"))
    await writeFile(join(tempDir, "pom.xml"), project)
    const copy = ["-q", "-B", "dependency:copy-dependencies", `-DoutputDirectory=${join(tempDir, "lib")}`]
    await run("mvn", copy, { cwd: tempDir, timeout: 120_000 })
    const script = `#!/bin/sh\nexec java -cp '${home}/lib/*' io.temporal.testserver.TestServer "$@"\n`
    await writeFile(join(tempDir, "server"), script, { mode: 0o755 })
    // Another process may have been faster.
    await rename(tempDir, home).catch(() => rm(tempDir, { recursive: true, force: true }))
    return program
  } catch {
    return null
  }
}

/** Null where there is no such server. One at a time: its time is everybody's. */
export const skippingServer = async (): Promise<TestWorkflowEnvironment | null> => {
  if (await reachable()) return TestWorkflowEnvironment.createTimeSkipping().catch(() => null)
  const path = await fromMaven()
  return path === null ? null : started(path)
}

/** The library gives a program five seconds to listen, which a Java program needs more of on a busy machine: it gets three tries. */
const started = async (path: string, tries = 3): Promise<TestWorkflowEnvironment> => {
  try {
    return await TestWorkflowEnvironment.createTimeSkipping({ server: { executable: { type: "existing-path", path } } })
  } catch (error) {
    if (tries === 1) throw error
    return started(path, tries - 1)
  }
}
