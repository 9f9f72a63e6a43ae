// Which rooms answer: one line each. `handlers` serve the groups of Api.ts, `pages` add plain routes of their own.
import { Layer } from "effect"
import { AccountsHandlers, WorkspacesHandlers } from "../accounts/handlers.ts"
import { AutomationMetaHandlers, AutomationSchemaPage, AutomationsHandlers } from "../automations/handlers.ts"
import { CatchRoutes } from "../automations/inbound/routes.ts"
import { RunsHandlers } from "../automations/runs/handlers.ts"
import { WeblinkRoutes } from "../automations/weblinks/routes.ts"
import { OAuthRoutes } from "../oauth/routes.ts"
import { PageRoutes } from "../pages/routes.ts"
import { BatchHandlers } from "../records/batch/handlers.ts"
import { CommentsHandlers } from "../records/comments/handlers.ts"
import { FileContentRoute, FilesHandlers } from "../records/files/handlers.ts"
import { AppsHandlers, RecordsHandlers } from "../records/handlers.ts"
import { ListingsHandlers } from "../records/listing/handlers.ts"
import { ViewsHandlers } from "../records/views/handlers.ts"
import { WebhooksHandlers } from "../webhooks/handlers.ts"

export const handlers = Layer.mergeAll(
  AccountsHandlers,
  WorkspacesHandlers,
  AppsHandlers,
  RecordsHandlers,
  CommentsHandlers,
  FilesHandlers,
  ViewsHandlers,
  ListingsHandlers,
  BatchHandlers,
  WebhooksHandlers,
  AutomationsHandlers,
  AutomationMetaHandlers,
  RunsHandlers
)

export const pages = Layer.mergeAll(
  OAuthRoutes,
  FileContentRoute,
  AutomationSchemaPage,
  CatchRoutes,
  WeblinkRoutes,
  PageRoutes
)
