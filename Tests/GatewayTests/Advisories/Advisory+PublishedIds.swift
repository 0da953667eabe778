extension Advisory {
    /// The ids of all published advisories of Parse Server since 2022, without `GHSA-`.
    static let publishedIds = Set(
        """
        2299-ghjr-6vjp 2cjm-2gwv-m892 2m6g-crv8-p3c6 2xm2-xj2q-qgpj 37mj-c2wf-cx96 38m6-82c8-4xfm
        3f5f-xgrj-97pf 3jmq-rrxf-gqrg 3v4q-4q9g-x83q 4263-jgmp-7pf4 42ph-pf9q-cr72 462x-c3jw-7vr6
        48mh-j4p5-7j9v 48q3-prgv-gm4w 4hf6-3x24-c9m8 4jj8-x76w-v7h7 4m9m-p9j9-5hjw 4q3h-vp4r-prv2
        5f92-jrq3-28rc 5fw2-8jcv-xh87 5hmj-jcgp-6hff 5j86-7r7m-p8h6 5v7g-9h8f-8pgg 6927-3vr9-fxf2
        69xg-f649-w5g2 6hh7-46r2-vf29 6qh5-m6g3-xhq6 6r2j-cxgf-495f 6w4q-23cf-j9jp 72hp-qff8-4pvv
        75v4-m273-5j49 775h-3xrc-c228 792q-q67h-w579 79wj-8rqv-jvp5 7ch5-98q2-7289 7m6r-fhh7-r47c
        7wqv-xjf3-x35v 7xg7-rqf6-pw6c 827p-g5x5-h86c 837q-jhwx-cmpv 8cph-rgr4-g5vj 8pjv-59c8-44p8
        8w3j-g983-8jh5 8xq9-g7ch-35hg 93vw-8fm5-p2jf 97pr-9hgg-3p8r 9ccr-fpp6-78qf 9cp7-3q5w-j92g
        9fjp-q3c4-6w3j 9g8m-v378-pcg3 9jpp-xhh6-75mf 9prm-jqwx-45x9 9xp9-j92r-p88v c2hr-cqg6-8j6r
        c442-97qw-j6c6 cc6h-c8m4-hgrx cgxm-vr2f-6fj8 cmj3-wx7h-ffvg crrq-vr9j-fxxh f6j3-w9v3-cq22
        fcv6-fg5r-jm9q fjxm-vhvc-gcmj fph2-r4qg-9576 fr88-w35c-r596 g4cf-xj29-wqqr g4v2-qx3q-4p64
        gqpp-xgvh-9h7h h29g-q5c2-9h4f h423-w6qv-2wj3 hcj7-6gxh-24ww hm3f-q6rw-m6wh hpm8-9qx6-jvwv
        hwx8-q9cg-mqmc j7mm-f4rv-6q6q jc39-686j-wp6q jmvh-84q9-vvrc jpq4-7fmq-q5fj m983-v2ff-wq65
        mf3j-86qx-cq5j mfj6-6p54-m98c mmg8-87c5-jrc2 mmpq-5hcv-hf2v p2w6-rmh7-w8q3 p2x3-8689-cwpg
        p49q-9w65-f9p7 p6h4-93qp-jhcm p84r-h6rx-f2xr pfj7-wv7c-22pr prm5-8g2m-24gg q342-9w2p-57fp
        q3p6-g7c4-829c q3vj-96h2-gwvg qf8x-vqjv-92gr qpc3-fg4j-8hgm qpr4-jrj4-6f27 qxh4-6wmx-rhg9
        r2g6-4f6j-f6rf r2m8-pxm9-9c4g r3xq-68wh-gwvh r899-h629-j84r rh9j-f5f8-rvgc rqxg-pcc9-f79w
        v5hf-f4c3-m5rv v88r-ghm9-267f v8x7-r927-cc93 vc89-5g3r-cmhh vgjh-hmwf-c588 vpj2-qq7w-5qq6
        vpvj-hfh8-388m vr5f-2r24-w5hc w54v-hf9p-8856 w73w-g5xw-rwhf wjqw-r9x4-j59v wmwx-jr2p-4j4r
        wp76-gg32-8258 x4qj-2f4q-r4rx x6fw-778m-wr9v xfh7-phr7-gr2x xw6g-jjvf-wwf9
        """.split { $0.isWhitespace }.map(String.init))
}
