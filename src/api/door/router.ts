// How paths are read: as they are written (developer-api.md 1.2). Another case or a doubled slash is another path, which nothing
// serves; only a slash at the end is forgiven.
import { Layer } from "effect"
import { HttpRouter } from "effect/http"

export const routerConfig = { caseSensitive: true, ignoreDuplicateSlashes: false, ignoreTrailingSlash: true }

export const RouterLayer = Layer.provide(HttpRouter.layer, Layer.succeed(HttpRouter.RouterConfig)(routerConfig))
