// Starts the views of the page as they come into sight. three.js is a module in a text element: it becomes a blob,
// because a page from disk may not import files. <body data-viewer> says loading, ready or unavailable, data-error
// what went wrong. With #probe in the address all views start at once and lend out their canvas (tests/browser.sh).
(function () {
    "use strict";
    const probe = location.hash === "#probe", state = document.body.dataset;
    let library = null;

    function load() {
        if (!library) {
            const source = document.getElementById("three").textContent;
            library = import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
        }
        return library;
    }

    function fail(section, error) {
        section.querySelector(".view-message").textContent = error.message;
        section.querySelector(".view-panel").hidden = true;
        section.classList.add("plain");
        state.viewer = "unavailable";
    }

    async function start(section) {
        const message = section.querySelector(".view-message");
        try {
            const THREE = await load();
            const data = JSON.parse(section.querySelector(".view-data").textContent);
            const viewer = sfgpViewer(THREE, section, data);
            message.textContent = "";
            state.viewer = "ready";
            if (probe) section.countColours = viewer.countColours;
        } catch (error) {
            fail(section, error);
        }
    }

    const sections = document.querySelectorAll("section.view");
    window.addEventListener("error", (event) => { state.error = event.message; });
    window.addEventListener("unhandledrejection", (event) => { state.error = String(event.reason); });
    state.viewer = "loading";
    const seen = new IntersectionObserver(function (entries) {
        for (const entry of entries)
            if (entry.isIntersecting) {
                seen.unobserve(entry.target);
                start(entry.target);
            }
    }, { rootMargin: "300px" });
    for (const section of sections) {
        if (probe) start(section);
        else seen.observe(section);
    }
})();
