// Builds the workflow bundle once and keeps it for all processes of a person, keyed by everything that can be in it.
import { runBuilder } from "../../../bin/parts/builder.js"
import { kept, keptFolder, shippedPath } from "../../../bin/parts/kept.js"

/** Path of the bundle of this release. A clone builds it if it is missing, in about three seconds, off the event loop. */
export const bundlePath = async (): Promise<string> =>
  shippedPath("workflows.js") ??
  kept({
    folder: keptFolder("workflows"),
    name: "millrace-workflows",
    suffix: ".js",
    make: (draft) => runBuilder(process.execPath, "bin/parts/buildWorkflows.js", draft)
  })
