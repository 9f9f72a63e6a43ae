// The plain routes beside the described API, one line a module.
import { Layer } from "effect"
import { EditorFiles } from "../../api/automations/handlers.ts"
import { FileContentRoute } from "../../api/records/files/content.ts"
import { ConsoleRoutes } from "../console/routes.ts"
import { CatchRoutes } from "../inbound/routes.ts"
import { OAuthRoutes } from "../oauth/routes.ts"
import { PageRoutes } from "../pages/routes.ts"
import { WeblinkRoutes } from "../weblinks/routes.ts"

export const pages = Layer.mergeAll(
  OAuthRoutes,
  FileContentRoute,
  EditorFiles,
  CatchRoutes,
  WeblinkRoutes,
  PageRoutes,
  ConsoleRoutes
)
