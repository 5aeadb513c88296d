import { redirect } from "next/navigation";
import { pageUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { isDecider } from "@/lib/ratings/decisions/deciders";
import { isPost } from "@/lib/request/current-request";
import type { User } from "@/lib/users";

/** The pages for running the site, in the order of the navigation. */
const pages = {
  tasks: "/admin",
  people: "/admin/people",
  posts: "/admin/posts",
  images: "/admin/images",
  subscribers: "/admin/subscribers",
  decisions: "/admin/decisions",
  settings: "/admin/settings",
  system: "/admin/system",
} as const;

/** The links that moderators see too. */
const ofModerators = ["tasks", "decisions"] as const;

type AdminPage = keyof typeof pages;

interface AdminFrameProps {
  user: User;
  page: AdminPage;
  /** The page's heading; that of the navigation unless set. */
  title?: React.ReactNode;
  children: React.ReactNode;
}

/** A page for running the site: navigation, heading and content. */
export function AdminFrame({ user, page, title, children }: AdminFrameProps) {
  const t = translator("admin");
  const shown: readonly AdminPage[] = user.isAdministrator
    ? ["tasks", "people", "posts", "images", "subscribers", "decisions", "settings", "system"]
    : ofModerators;
  return (
    <>
      <nav aria-label={t("navigation")} className="tabs mb-6">
        {shown.map((each) => (
          <a key={each} href={pages[each]} aria-current={each === page ? "page" : undefined}>
            {t(`pages.${each}`)}
          </a>
        ))}
      </nav>
      <h1 className="page-title">{title ?? t(`pages.${page}`)}</h1>
      {children}
    </>
  );
}

/** The metadata of a page for running the site. */
export function adminMetadata(page: AdminPage) {
  const t = translator("admin");
  return {
    title: page === "tasks" ? t("title") : `${t(`pages.${page}`)} · ${t("title")}`,
    robots: { index: false },
  };
}

/**
 * The user of a page for administrators; null for any other.
 * Without a session redirects to the log-in page, which returns to `path`; after a form, `forbiddenPage` explains it.
 */
export async function administratorAt(path: string): Promise<User | null> {
  const user = await userAt(path);
  return user?.isAdministrator ? user : null;
}

/** As `administratorAt`, for administrators and moderators. */
export async function deciderAt(path: string): Promise<User | null> {
  const user = await userAt(path);
  return user && isDecider(user) ? user : null;
}

async function userAt(path: string): Promise<User | null> {
  const user = await pageUser(path);
  // The browser would send a form to the page of a redirect, too.
  if (user?.lacksSecondFactor && !isPost()) redirect("/account#two-steps");
  return user;
}
