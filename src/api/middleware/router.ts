// Configures the router to match paths as they are written (developer-api.md 1.2). Another case or a doubled slash is another path, which
// nothing serves; only a trailing slash is ignored.
import { Layer } from "effect"
import { HttpRouter } from "effect/http"

export const routerConfig = { caseSensitive: true, ignoreDuplicateSlashes: false, ignoreTrailingSlash: true }

export const RouterLayer = Layer.provide(HttpRouter.layer, Layer.succeed(HttpRouter.RouterConfig)(routerConfig))
