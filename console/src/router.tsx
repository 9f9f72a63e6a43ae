// Every address of the console. Pages are loaded when they are first visited.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router"
import { BrokenPage, NotFoundPage } from "./pages/NotFoundPage.tsx"
import { Layout } from "./ui/Layout.tsx"
import { Loading } from "./ui/states.tsx"

const root = createRootRoute({ component: Layout, notFoundComponent: NotFoundPage })

const start = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/apps" })
  }
})

const apps = createRoute({
  getParentRoute: () => root,
  path: "/apps",
  component: lazyRouteComponent(() => import("./pages/AppsPage.tsx"), "AppsPage")
})

export const router = createRouter({
  routeTree: root.addChildren([start, apps]),
  basepath: "/console",
  defaultPreload: "intent",
  defaultPendingComponent: () => <Loading what="the page" />,
  defaultErrorComponent: ({ error, reset }) => <BrokenPage error={error} reset={reset} />,
  defaultNotFoundComponent: NotFoundPage
})

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}
