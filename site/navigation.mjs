// SPDX-License-Identifier: Apache-2.0
// Which page stands where: sections in order, pages of a folder by their titles unless their names are numbered.
export const shelves = [
    { name: "Start", pages: ["README.md", "docs/howto/install.md"] },
    { name: "Learn", folder: "docs/tutorial/", more: ["docs/gallery.md"] },
    { name: "How to", folder: "docs/howto/" },
    { name: "Theory", folder: "docs/theory/" },
    { name: "Reference", folder: "docs/reference/", more: ["docs/glossary.md"] },
    { name: "Reproductions", pages: ["docs/reproduction.md"], folder: "docs/reproduction/" },
    { name: "Project", pages: ["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/security.md", "docs/reliability.md", "docs/release.md"] },
    { name: "Decisions", folder: "docs/decisions/" },
];

// Documents by shelf; what stands on no shelf is a page all the same, reached by links.
export function shelve(documents) {
    const left = new Set(documents.keys());
    const take = path => left.delete(path);
    const rank = path => (path.endsWith("/README.md") ? 0 : /\/\d/.test(path) ? 1 : 2);
    const order = (a, b) => rank(a) - rank(b) ||
        (rank(a) === 1 ? (a < b ? -1 : 1) : documents.get(a).title.localeCompare(documents.get(b).title, "en"));
    // Pages named by hand first, so that no folder takes them.
    const filled = shelves.map(shelf => ({ name: shelf.name, paths: [...(shelf.pages ?? [])].filter(take), shelf }));
    for (const one of filled) {
        if (one.shelf.folder)
            one.paths.push(...[...left].filter(path => path.startsWith(one.shelf.folder)).sort(order).filter(take));
        one.paths.push(...(one.shelf.more ?? []).filter(take));
    }
    return filled.filter(one => one.paths.length > 0).map(({ name, paths }) => ({ name, paths }));
}
